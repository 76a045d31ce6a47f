/** A client's record in `clients.json`, with the digest of its token, and the initial record of a new client. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { clientId } from '#contract/clients/actor-id.ts';
import { clientMode, clientName, clientProfile } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';

export const storedClients = z.object({
  version: z.literal(1),
  clients: z.array(
    z.object({
      id: z.string(),
      name: clientName,
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.number(),
      lastSeenAt: z.number().nullable(),
      hue: z.int().min(1).max(4),
      mode: clientMode.default('collaborate'),
      ownImage: z.boolean().default(false),
      profile: clientProfile.default('standard'),
      /** True if the client was accepted without a token and never received one. */
      paired: z.boolean().default(false),
      /** The reason why the client is paused; null if it is not paused. */
      paused: z.string().nullable().default(null),
    }),
  ),
});

export type StoredClient = z.infer<typeof storedClients>['clients'][number];

const HUES = 4;

export function actorOf(client: StoredClient): Actor {
  return { id: client.id, kind: 'client', name: client.name };
}

/** Returns a new client's record, with the hue that the fewest other clients have. */
export function newClient(name: string, digest: string, others: readonly StoredClient[]): StoredClient {
  return {
    id: clientId(name),
    name,
    digest,
    createdAt: Date.now(),
    lastSeenAt: null,
    hue: freeHue(others),
    mode: 'collaborate',
    profile: 'standard',
    ownImage: false,
    paired: false,
    paused: null,
  };
}

/** Returns the digest that is stored for a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function freeHue(clients: readonly StoredClient[]): number {
  const used = Array.from({ length: HUES }, (_, index) => clients.filter((client) => client.hue === index + 1).length);
  return used.indexOf(Math.min(...used)) + 1;
}
