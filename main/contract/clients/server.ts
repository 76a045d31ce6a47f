/** The servers that a person can start and stop: HTTP for MCP and Lisply, and the other servers that programs connect to. */
import { z } from 'zod';

const serverKind = z.enum(['http', 'https', 'swank', 'telnet']);

export const serverRecord = z.object({
  kind: serverKind,
  /** `failed`: the server does not listen; `problem` gives the reason and a way to fix it. */
  state: z.enum(['off', 'starting', 'on', 'failed']),
  /** The address to connect to: a URL, or host and port. Null if the server does not listen. */
  address: z.string().nullable(),
  /** The listening port; null if the server does not listen. */
  port: z.int().nullable(),
  /** The default port. */
  usualPort: z.int(),
  /** The time at which the server began to listen; null if it does not listen. */
  since: z.number().nullable(),
  /** The number of open connections; null if they are not counted. */
  connections: z.int().nonnegative().nullable(),
  problem: z.string().nullable(),
  /** A message for the person about the running server, or about why it stopped; null if there is none. */
  notice: z.string().nullable(),
  /** The number of rejected requests since the server started, with the reason and time of the latest; null if there are none. */
  refused: z.object({ count: z.int(), why: z.string(), at: z.number() }).nullable(),
  /** The certificate that is shown to clients; null if there is none. */
  certificate: z
    .object({
      /** SHA-256, as pairs of hexadecimal digits separated by colons. */
      fingerprint: z.string(),
      /** The absolute path of the certificate's file, without the key. */
      file: z.string(),
      /** The end of the certificate's validity, in milliseconds since the epoch. */
      until: z.number(),
      /** True for a certificate that the workbench generated. */
      selfSigned: z.boolean(),
    })
    .nullable(),
  /** Actions that the person can choose with a click, such as the fix for `problem`. */
  offers: z.array(z.object({ id: z.string(), title: z.string() })),
});

export const serverCalls = {
  /** Starts a server; `servers-changed` reports the result. Port 0 means any free port, and null means the default port. */
  'servers.start': {
    input: z.object({ kind: serverKind, port: z.int().min(0).max(65_535).nullable() }),
    output: z.object({}),
  },
  'servers.stop': { input: z.object({ kind: serverKind }), output: z.object({}) },
  /** Runs one of the server's offered actions. */
  'servers.act': { input: z.object({ kind: serverKind, offer: z.string() }), output: z.object({}) },
} as const;

export const serverEvents = {
  'servers-changed': z.array(serverRecord),
} as const;

export type ServerKind = z.infer<typeof serverKind>;
export type ServerRecord = z.infer<typeof serverRecord>;
