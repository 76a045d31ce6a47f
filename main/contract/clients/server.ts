/** Servers of the program that a person starts and stops: HTTP for MCP and Lisply, and what else programs connect to. */
import { z } from 'zod';

const serverKind = z.enum(['http', 'https', 'swank', 'telnet']);

export const serverRecord = z.object({
  kind: serverKind,
  /** `failed`: it does not listen, and `problem` says why and what to do. */
  state: z.enum(['off', 'starting', 'on', 'failed']),
  /** The address to connect to, a URL or host and port; null while it does not listen. */
  address: z.string().nullable(),
  /** The port on which it listens; null while it does not. */
  port: z.int().nullable(),
  /** The port that a start takes where none is named. */
  usualPort: z.int(),
  /** The time since which it listens; null while it does not. */
  since: z.number().nullable(),
  /** Connections that are open now; null where they are not counted. */
  connections: z.int().nonnegative().nullable(),
  problem: z.string().nullable(),
  /** Something that the person should know while it listens, or of why it ended; null for nothing. */
  notice: z.string().nullable(),
  /** Requests that were turned away since it started, and why the latest one was, at that time; null for none. */
  refused: z.object({ count: z.int(), why: z.string(), at: z.number() }).nullable(),
  /** The certificate that is shown to clients; null where there is none. */
  certificate: z
    .object({
      /** SHA-256, in pairs of hexadecimal digits with colons. */
      fingerprint: z.string(),
      /** The absolute path of the certificate without its key. */
      file: z.string(),
      /** The end of its validity, in milliseconds since the epoch. */
      until: z.number(),
      /** True for one that the workbench made. */
      selfSigned: z.boolean(),
    })
    .nullable(),
  /** Actions that the person can have done with a click, such as the remedy of `problem`. */
  offers: z.array(z.object({ id: z.string(), title: z.string() })),
});

export const serverCalls = {
  /** Starts a server; what comes of it is told by `servers-changed`. 0 takes any free port, null the usual one. */
  'servers.start': {
    input: z.object({ kind: serverKind, port: z.int().min(0).max(65_535).nullable() }),
    output: z.object({}),
  },
  'servers.stop': { input: z.object({ kind: serverKind }), output: z.object({}) },
  /** Does one of the server's offers. */
  'servers.act': { input: z.object({ kind: serverKind, offer: z.string() }), output: z.object({}) },
} as const;

export const serverEvents = {
  'servers-changed': z.array(serverRecord),
} as const;

export type ServerKind = z.infer<typeof serverKind>;
export type ServerRecord = z.infer<typeof serverRecord>;
