/** AI clients: known by name and token, connected or not. */
import { z } from 'zod';
import { clientNameFault } from './client-name.ts';

/** A name that a person gives to a client; it is the client's identity in every list. */
export const clientName = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const fault = clientNameFault(name);
    if (fault !== null) context.addIssue(fault);
  })
  .refine((name) => !['person', 'you', 'unknown'].includes(name.toLowerCase()), 'That name would pass for the person.');

/** observe: looks only; propose: what changes the image asks too; collaborate: the levels of the tools. */
export const clientMode = z.enum(['observe', 'propose', 'collaborate']);

/**
 * Which tools a client is told of. standard: those that most work needs and two that find and call the others, or all where
 * the client loads them late; all: all of them; repl: the standard ones without those that read and change files.
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
  /** True when the client works in an image of its own rather than in the person's. */
  ownImage: z.boolean(),
  profile: clientProfile,
  /** The reason why the client is paused, in words; null while it is not. */
  paused: z.string().nullable(),
  /**
   * The protocol that the client spoke last, e.g. "MCP over HTTP"; null before its first connection since the program started.
   * Other programs that used the client's token follow by name, as they say.
   */
  protocol: z.string().nullable(),
  /** Calls since the program started, and how many of them failed or were denied. */
  calls: z.int().nonnegative(),
  failures: z.int().nonnegative(),
});

/** A client without a token that waits to be let in. All of it is what it says, or what its process looks like. */
export const admission = z.object({
  id: z.string(),
  label: z.string(),
  /** The name under which it is let in unless the person gives it another. */
  name: z.string(),
  /** The process of the client, where the system tells it. */
  process: z.object({ pid: z.int(), command: z.string(), startedBy: z.string().nullable() }).nullable(),
  requestedAt: z.number(),
  /** The time at which the request is refused by itself, milliseconds since the epoch. */
  deadline: z.number(),
});

/** The choices of the person for a client. */
export const clientChange = z.object({
  id: z.string(),
  mode: clientMode.optional(),
  ownImage: z.boolean().optional(),
  profile: clientProfile.optional(),
  /** True pauses it, false lets it go on. */
  paused: z.boolean().optional(),
});

/** A new client with its token, shown once. */
export const mintedClient = z.object({ client: clientRecord, token: z.string() });

export type PairingRequest = z.infer<typeof admission>;
export type MintedClient = z.infer<typeof mintedClient>;
export type ClientProfile = z.infer<typeof clientProfile>;
export type ClientMode = z.infer<typeof clientMode>;
export type ClientChange = z.infer<typeof clientChange>;
export type ClientRecord = z.infer<typeof clientRecord>;
