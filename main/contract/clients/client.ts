/** AI clients, connected or not, identified by name and token. */
import { z } from 'zod';
import { clientNameFault } from './client-name.ts';

/** The name that a person gives to a client; it identifies the client in every list. */
export const clientName = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const fault = clientNameFault(name);
    if (fault !== null) context.addIssue(fault);
  })
  .refine(
    (name) => !['person', 'you', 'unknown'].includes(name.toLowerCase()),
    'This name could be mistaken for the person’s.',
  );

/** observe: may only read; propose: changes to the image also need approval; collaborate: the safety level of each tool decides. */
export const clientMode = z.enum(['observe', 'propose', 'collaborate']);

/**
 * The tool set of a client. standard: the tools for most work, and two tools that find and call all other tools (a client that loads tools
 * lazily gets all tools); all: every tool; repl: the standard tools except those that read and change files.
 */
export const clientProfile = z.enum(['standard', 'all', 'repl']);

export const clientRecord = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
  connections: z.int().nonnegative(),
  /** 1–4, the agent colour of `renderer/theme/tokens.css`. */
  hue: z.int().min(1).max(4),
  mode: clientMode,
  /** True if the client works in its own image rather than in the person's. */
  ownImage: z.boolean(),
  profile: clientProfile,
  /** The reason why the client is paused, in words; null if it is not paused. */
  paused: z.string().nullable(),
  /**
   * The protocol that the client used last, e.g. "MCP over HTTP"; null before the client's first connection since the program started. If
   * other programs used the client's token, the names that they reported follow.
   */
  protocol: z.string().nullable(),
  /** The number of calls since the program started. The next two fields count the failed and the denied ones. */
  calls: z.int().nonnegative(),
  failures: z.int().nonnegative(),
});

/**
 * A client without a token that is waiting to be admitted. All fields are unverified: they come from the client itself or from data about
 * its process.
 */
export const admission = z.object({
  id: z.string(),
  label: z.string(),
  /** The name under which the client is admitted unless the person changes it. */
  name: z.string(),
  /** The client's process; null if the system does not report it. */
  process: z.object({ pid: z.int(), command: z.string(), startedBy: z.string().nullable() }).nullable(),
  requestedAt: z.number(),
  /** The time at which the request is refused automatically, in milliseconds since the epoch. */
  deadline: z.number(),
});

/** The person's settings for a client. */
export const clientChange = z.object({
  id: z.string(),
  mode: clientMode.optional(),
  ownImage: z.boolean().optional(),
  profile: clientProfile.optional(),
  /** True pauses the client; false resumes it. */
  paused: z.boolean().optional(),
});

/** A new client with its token, which is shown only once. */
export const mintedClient = z.object({ client: clientRecord, token: z.string() });

export type PairingRequest = z.infer<typeof admission>;
export type MintedClient = z.infer<typeof mintedClient>;
export type ClientProfile = z.infer<typeof clientProfile>;
export type ClientMode = z.infer<typeof clientMode>;
export type ClientChange = z.infer<typeof clientChange>;
export type ClientRecord = z.infer<typeof clientRecord>;
