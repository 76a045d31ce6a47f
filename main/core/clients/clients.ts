/** The clients that a person has let in: each is known by its token, which is stored as a digest only. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { clientName, type ClientRecord } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import { Document } from '#core/settings/document.ts';

const stored = z.object({
  version: z.literal(1),
  clients: z.array(
    z.object({
      id: z.string(),
      name: clientName,
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.number(),
      lastSeenAt: z.number().nullable(),
      hue: z.int().min(1).max(4),
    }),
  ),
});

type StoredClient = z.infer<typeof stored>['clients'][number];

interface ClientEvents {
  changed: ClientRecord[];
  told: { actor: Actor; change: 'connected' | 'disconnected' | 'minted' | 'revoked'; summary: string };
  /** Open connections of this client must end now. */
  revoked: { id: string };
}

const TOKEN_OCTETS = 32;
const HUES = 4;
/** Last-seen times are written at most this often. */
const SEEN_EVERY_MS = 60_000;

export class Clients {
  readonly events = new Emitter<ClientEvents>();
  readonly #document: Document<typeof stored>;
  readonly #connections = new Map<string, number>();

  /** `folder`: where `clients.json` is kept, readable by its owner alone; null keeps the clients of this run in memory. */
  constructor(folder: string | null) {
    this.#document = new Document({
      file: folder === null ? null : path.join(folder, 'clients.json'),
      schema: stored,
      initial: { version: 1, clients: [] },
    });
  }

  /** Why the stored clients could not be read; null when they could. */
  get problem(): string | null {
    return this.#document.problem;
  }

  list(): ClientRecord[] {
    return this.#document.value.clients.map((client) => this.#record(client));
  }

  /**
   * Makes a client, or for a known name a new token in place of the old one, and gives the token: the only time it is seen.
   */
  async mint(name: string): Promise<{ client: ClientRecord; token: string }> {
    const checked = clientName.parse(name);
    const token = `lwb_${randomBytes(TOKEN_OCTETS).toString('base64url')}`;
    const clients = [...this.#document.value.clients];
    const known = clients.findIndex((client) => client.name.toLowerCase() === checked.toLowerCase());
    const digest = digestOf(token).toString('hex');
    const client: StoredClient =
      known >= 0
        ? { ...clients[known]!, digest }
        : {
            id: `client:${checked.toLowerCase()}`,
            name: checked,
            digest,
            createdAt: Date.now(),
            lastSeenAt: null,
            hue: freeHue(clients),
          };
    if (known >= 0) {
      clients[known] = client;
      this.events.emit('revoked', { id: client.id });
    } else {
      clients.push(client);
    }
    await this.#document.write({ version: 1, clients });
    this.#tell(client, 'minted', known >= 0 ? 'new token, the old one is void' : 'new client');
    return { client: this.#record(client), token };
  }

  async revoke(id: string): Promise<void> {
    const client = this.#document.value.clients.find((each) => each.id === id);
    if (!client) throw new WorkbenchError('not-found', 'This client is not known any more.');
    await this.#document.write({ version: 1, clients: this.#document.value.clients.filter((each) => each !== client) });
    this.events.emit('revoked', { id });
    this.#tell(client, 'revoked', 'token void, connections closed');
  }

  /** Who bears this token; null for nobody. Compares digests in constant time, all of them each time. */
  authenticate(token: string): Actor | null {
    const digest = digestOf(token);
    let found: StoredClient | null = null;
    for (const client of this.#document.value.clients) {
      if (timingSafeEqual(Buffer.from(client.digest, 'hex'), digest)) found = client;
    }
    if (!found) return null;
    this.#seen(found);
    return actorOf(found);
  }

  /** Counts a connection; returns the function that ends it. */
  connect(actor: Actor, how: string): () => void {
    this.#count(actor.id, 1);
    this.events.emit('told', { actor, change: 'connected', summary: how });
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#count(actor.id, -1);
      this.events.emit('told', { actor, change: 'disconnected', summary: how });
    };
  }

  #count(id: string, by: number): void {
    this.#connections.set(id, (this.#connections.get(id) ?? 0) + by);
    this.events.emit('changed', this.list());
  }

  #seen(client: StoredClient): void {
    const now = Date.now();
    if (now - (client.lastSeenAt ?? 0) < SEEN_EVERY_MS) return;
    const clients = this.#document.value.clients.map((each) =>
      each.id === client.id ? { ...each, lastSeenAt: now } : each,
    );
    this.#document.write({ version: 1, clients }).catch(() => {}); // a time that could not be kept hurts nobody
    this.events.emit('changed', this.list());
  }

  #tell(client: StoredClient, change: 'minted' | 'revoked', summary: string): void {
    this.events.emit('told', { actor: actorOf(client), change, summary });
    this.events.emit('changed', this.list());
  }

  #record({ id, name, createdAt, lastSeenAt, hue }: StoredClient): ClientRecord {
    return { id, name, createdAt, lastSeenAt, hue, connections: this.#connections.get(id) ?? 0 };
  }
}

function actorOf(client: StoredClient): Actor {
  return { id: client.id, kind: 'client', name: client.name };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function freeHue(clients: readonly StoredClient[]): number {
  const used = Array.from({ length: HUES }, (_, index) => clients.filter((client) => client.hue === index + 1).length);
  return used.indexOf(Math.min(...used)) + 1;
}
