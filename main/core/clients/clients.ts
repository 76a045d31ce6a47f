/** The clients that a person has let in: each is known by its token, which is stored as a digest only. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import {
  clientMode,
  clientName,
  clientProfile,
  type ClientChange,
  type ClientMode,
  type ClientProfile,
  type ClientRecord,
} from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import { Document, type Kept } from '#core/settings/document.ts';

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
      mode: clientMode.default('collaborate'),
      ownImage: z.boolean().default(false),
      profile: clientProfile.default('standard'),
      /** Why it is paused. */
      paused: z.string().nullable().default(null),
    }),
  ),
});

type StoredClient = z.infer<typeof stored>['clients'][number];

type Change = 'admitted' | 'connected' | 'disconnected' | 'minted' | 'revoked' | 'paused' | 'resumed' | 'changed';

interface ClientEvents {
  changed: ClientRecord[];
  told: { actor: Actor; change: Change; summary: string };
  /** From now on nothing of this client is answered; with `ends` what it runs or waits for ends too. */
  paused: { id: string; why: string; ends: boolean };
  /** This client is told of other tools from now on. */
  'profile-changed': { id: string };
  /** Open connections of this client must end now. */
  revoked: { id: string };
}

const PAUSED_BY_PERSON = 'The person has paused this client. Wait until they let it go on.';
const TOKEN_OCTETS = 32;
const HUES = 4;
/** Last-seen times are written at most this often. */
const SEEN_EVERY_MS = 60_000;

export class Clients {
  readonly events = new Emitter<ClientEvents>();
  readonly #document: Document<typeof stored>;
  readonly #connections = new Map<string, number>();
  readonly #protocols = new Map<string, string>();
  readonly #calls = new Map<string, { calls: number; failures: number }>();
  /** When clients were seen last, monotonic. */
  readonly #seenAt = new Map<string, number>();
  /** Why clients are paused that are known for this run alone. */
  readonly #pausedOthers = new Map<string, string>();

  /** `folder`: where `clients.json` is kept, readable by its owner alone; null keeps the clients of this run in memory. */
  constructor(folder: string | null) {
    this.#document = new Document({
      file: folder === null ? null : path.join(folder, 'clients.json'),
      schema: stored,
      initial: { version: 1, clients: [] },
      title: 'The list of clients',
      salvage: 'fields',
      reserve: true,
    });
  }

  /** How the file stands in which they are kept. */
  get kept(): Kept {
    return this.#document;
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  list(): ClientRecord[] {
    return this.#document.value.clients.map((client) => this.#record(client));
  }

  /**
   * Makes a client, or for a known name a new token in place of the old one, and gives the token: the only time it is seen.
   */
  async mint(name: string): Promise<{ client: ClientRecord; token: string }> {
    const checked = clientName.parse(name);
    const token = newToken();
    const clients = [...this.#document.value.clients];
    const known = clients.findIndex((client) => client.name.toLowerCase() === checked.toLowerCase());
    const digest = digestOf(token).toString('hex');
    const client = known >= 0 ? { ...clients[known]!, digest } : newClient(checked, digest, clients);
    if (known >= 0) clients[known] = client;
    else clients.push(client);
    await this.#document.keep({ version: 1, clients });
    if (known >= 0) this.events.emit('revoked', { id: client.id });
    this.#tell(client, 'minted', known >= 0 ? 'new token, the old one is void' : 'new client');
    return { client: this.#record(client), token };
  }

  /**
   * Who a client without a token is, once the person has let it in under this name, into the shared image or one of its own.
   * Tokens stay as they are.
   */
  async letIn(name: string, ownImage: boolean): Promise<Actor> {
    const checked = clientName.parse(name);
    const clients = this.#document.value.clients;
    const known = clients.find((client) => client.name.toLowerCase() === checked.toLowerCase());
    // A new one gets a token that nobody has: it is asked about again the next time.
    const client = { ...(known ?? newClient(checked, digestOf(newToken()).toString('hex'), clients)), ownImage };
    if (!known) await this.#document.keep({ version: 1, clients: [...clients, client] });
    else if (known.ownImage !== ownImage) await this.#edit(client.id, { ownImage });
    const where = ownImage ? 'into an image of its own' : 'into this image';
    this.#tell(client, 'admitted', `let in ${where} without a token, for this connection`);
    return actorOf(client);
  }

  /** What policy needs to know of a client; one that is not kept here (a token of the start) is as by default. */
  standing(id: string): { mode: ClientMode; paused: string | null; ownImage: boolean } {
    return this.#find(id) ?? { mode: 'collaborate', ownImage: false, paused: this.#pausedOthers.get(id) ?? null };
  }

  /** Which tools a client is told of. */
  profile(id: string): ClientProfile {
    return this.#find(id)?.profile ?? 'standard';
  }

  /** Who an id stands for; code of nobody's evaluation counts as an agent's. */
  actor(id: string | null): Actor {
    const client = id === null ? undefined : this.#find(id);
    if (client) return actorOf(client);
    return { id: id ?? 'client:unknown', kind: 'client', name: id?.replace(/^client:/, '') ?? 'unknown code' };
  }

  /** Sets the mode, the tools or the image of a client, pauses it or lets it go on, as the person chose. @throws WorkbenchError `not-found`. */
  async change({ id, mode, profile, ownImage, paused }: ClientChange): Promise<void> {
    if (paused === false && this.#pausedOthers.delete(id)) return;
    if (!this.#find(id)) throw new WorkbenchError('not-found', 'This client is not known any more.');
    if (paused === true) await this.pause(id, PAUSED_BY_PERSON);
    if (paused === false) await this.#resume(id);
    if (profile !== undefined) await this.#changeProfile(id, profile);
    const client = this.#find(id)!;
    if (ownImage !== undefined && ownImage !== client.ownImage) {
      await this.#edit(id, { ownImage });
      this.#tell(this.#find(id)!, 'changed', ownImage ? 'an image of its own' : 'in the shared image');
    }
    if (mode === undefined || mode === client.mode) return;
    await this.#edit(id, { mode });
    this.#tell(this.#find(id)!, 'changed', `${mode} mode`);
  }

  /** Nothing of the client is answered until the person lets it go on. With `ends` what it runs or waits for ends. */
  async pause(id: string, why: string, ends = true): Promise<void> {
    const client = this.#find(id);
    if (!client) this.#pausedOthers.set(id, why);
    else if (client.paused !== null) return;
    else await this.#edit(id, { paused: why });
    this.events.emit('paused', { id, why, ends });
    if (client) this.#tell(client, 'paused', why);
  }

  /** Stops every client that is known, connected or not. Gives the ids of those that were not paused before. */
  async pauseAll(): Promise<string[]> {
    const others = [...this.#connections.keys()].filter((id) => !this.#find(id));
    const ids = [...this.#document.value.clients.map((client) => client.id), ...others];
    const going = ids.filter((id) => this.standing(id).paused === null);
    for (const id of going) await this.pause(id, PAUSED_BY_PERSON);
    return going;
  }

  /** Counts a call that was answered. */
  counted(id: string, success: boolean): void {
    const counts = this.#calls.get(id) ?? { calls: 0, failures: 0 };
    this.#calls.set(id, { calls: counts.calls + 1, failures: counts.failures + (success ? 0 : 1) });
  }

  async #changeProfile(id: string, profile: ClientProfile): Promise<void> {
    if (this.profile(id) === profile) return;
    await this.#edit(id, { profile });
    this.#tell(this.#find(id)!, 'changed', `${profile} tools`);
    this.events.emit('profile-changed', { id });
  }

  async #resume(id: string): Promise<void> {
    const client = this.#find(id);
    if (!client || client.paused === null) return;
    await this.#edit(id, { paused: null });
    this.#tell(client, 'resumed', 'its calls are answered again');
  }

  async revoke(id: string): Promise<void> {
    const client = this.#find(id);
    if (!client) throw new WorkbenchError('not-found', 'This client is not known any more.');
    await this.#document.keep({ version: 1, clients: this.#document.value.clients.filter((each) => each !== client) });
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

  /** A client that needs no connection for it spoke this. */
  speaks(actor: Actor, protocol: string): void {
    this.#protocols.set(actor.id, protocol);
    this.events.emit('changed', this.list());
  }

  /** Counts a connection; returns the function that ends it. */
  connect(actor: Actor, how: string): () => void {
    this.#protocols.set(actor.id, how);
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

  isConnected(id: string): boolean {
    return (this.#connections.get(id) ?? 0) > 0;
  }

  #count(id: string, by: number): void {
    this.#connections.set(id, (this.#connections.get(id) ?? 0) + by);
    this.events.emit('changed', this.list());
  }

  #seen(client: StoredClient): void {
    const now = performance.now();
    if (now - (this.#seenAt.get(client.id) ?? -SEEN_EVERY_MS) < SEEN_EVERY_MS) return;
    this.#seenAt.set(client.id, now);
    this.#edit(client.id, { lastSeenAt: Date.now() }).catch(() => {}); // a time that could not be kept hurts nobody
    this.events.emit('changed', this.list());
  }

  #find(id: string): StoredClient | undefined {
    return this.#document.value.clients.find((client) => client.id === id);
  }

  #edit(id: string, change: Partial<StoredClient>): Promise<void> {
    const clients = this.#document.value.clients.map((each) => (each.id === id ? { ...each, ...change } : each));
    return this.#document.keep({ version: 1, clients });
  }

  #tell(client: StoredClient, change: Change, summary: string): void {
    this.events.emit('told', { actor: actorOf(client), change, summary });
    this.events.emit('changed', this.list());
  }

  #record({ digest: _secret, ...client }: StoredClient): ClientRecord {
    const { calls, failures } = this.#calls.get(client.id) ?? { calls: 0, failures: 0 };
    return {
      ...client,
      connections: this.#connections.get(client.id) ?? 0,
      protocol: this.#protocols.get(client.id) ?? null,
      calls,
      failures,
    };
  }
}

function actorOf(client: StoredClient): Actor {
  return { id: client.id, kind: 'client', name: client.name };
}

function newToken(): string {
  return `lwb_${randomBytes(TOKEN_OCTETS).toString('base64url')}`;
}

function newClient(name: string, digest: string, others: readonly StoredClient[]): StoredClient {
  return {
    id: `client:${name.toLowerCase()}`,
    name,
    digest,
    createdAt: Date.now(),
    lastSeenAt: null,
    hue: freeHue(others),
    mode: 'collaborate',
    profile: 'standard',
    ownImage: false,
    paused: null,
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function freeHue(clients: readonly StoredClient[]): number {
  const used = Array.from({ length: HUES }, (_, index) => clients.filter((client) => client.hue === index + 1).length);
  return used.indexOf(Math.min(...used)) + 1;
}
