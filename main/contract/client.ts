/** AI clients: known by name and token, connected or not. */
import { z } from 'zod';

/** A name that a person gives to a client; it is the client's identity in every list. */
export const clientName = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/,
    'Use 1 to 40 letters, digits, spaces, dots, dashes or underscores, beginning with a letter or digit.',
  );

/** observe: looks only; propose: what changes the image asks too; collaborate: the levels of the tools. */
export const clientMode = z.enum(['observe', 'propose', 'collaborate']);

/** Which tools a client is told of: those that most work needs, or all. All of them answer. */
export const clientProfile = z.enum(['standard', 'all']);

export const clientRecord = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
  connections: z.int().nonnegative(),
  /** 1–4, the agent colour of tokens.md. */
  hue: z.int().min(1).max(4),
  mode: clientMode,
  /** It works in an image of its own rather than in the person's. */
  ownImage: z.boolean(),
  profile: clientProfile,
  /** Why nothing of it is answered, in words; null while it is. */
  paused: z.string().nullable(),
  /** What it spoke last, e.g. "MCP over HTTP"; null before it did since the program started. */
  protocol: z.string().nullable(),
  /** Calls since the program started, and how many of them failed or were denied. */
  calls: z.int().nonnegative(),
  failures: z.int().nonnegative(),
});

/** A client without a token that waits to be let in. All of it is what it says, or what its process looks like. */
export const admission = z.object({
  id: z.string(),
  label: z.string(),
  /** Where the system tells it. */
  process: z.object({ pid: z.int(), command: z.string(), startedBy: z.string().nullable() }).nullable(),
  requestedAt: z.number(),
  /** When it is refused by itself, milliseconds since the epoch. */
  deadline: z.number(),
});

/** What the person chooses for a client. */
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

export type Admission = z.infer<typeof admission>;
export type MintedClient = z.infer<typeof mintedClient>;
export type ClientProfile = z.infer<typeof clientProfile>;
export type ClientMode = z.infer<typeof clientMode>;
export type ClientChange = z.infer<typeof clientChange>;
export type ClientRecord = z.infer<typeof clientRecord>;
