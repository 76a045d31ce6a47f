/** The clients that a person has admitted. Each is identified by its token, of which only a digest is stored. */
import { nameInId, UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import { timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import {
  clientName,
  type ClientChange,
  type ClientMode,
  type ClientProfile,
  type ClientRecord,
} from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import { visibleName } from '#contract/text/visible.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';
import { isOtherProgram } from './programs.ts';
import { actorOf, digestOf, newClient, storedClients, type StoredClient } from './stored-client.ts';
import { newToken } from '#core/base/tokens.ts';

type Change = 'admitted' | 'connected' | 'disconnected' | 'minted' | 'revoked' | 'paused' | 'resumed' | 'changed';

interface ClientEvents {
  changed: ClientRecord[];
  told: { actor: Actor; change: Change; summary: string };
  /** A client was paused: its later calls are refused. With `ends`, its running and waiting calls end too. */
  paused: { id: string; why: string; ends: boolean };
  /** The tool set of a client has changed. */
  'profile-changed': { id: string };
  /** A client has requested the list of tools. */
  listed: { id: string };
  /** The open connections of this client must be closed now. */
  revoked: { id: string };
}

const PAUSED_BY_PERSON = 'The person has paused this client. Wait until they resume it.';
/** The maximum number of other programs' names stored for a client. */
const MOST_OTHERS = 4;
/** The minimum interval, in milliseconds, between writes of last-seen times. */
const SEEN_EVERY_MS = 60_000;

export class Clients {
  readonly events = new Emitter<ClientEvents>();
  readonly #document: Document<typeof storedClients>;
  readonly #connections = new Map<string, number>();
  readonly #protocols = new Map<string, string>();
  readonly #calls = new Map<string, { calls: number; failures: number }>();
  /** The time at which each client was last seen, on the monotonic clock. */
  readonly #seenAt = new Map<string, number>();
  /**
   * By client, the names of other programs that have used the client's token. The programs report these names. They are stored until the
   * client gets a new token or the program ends.
   */
  readonly #others = new Map<string, Set<string>>();
  /** The last client and program that were found to match; cached because each call checks this. */
  #own: string | null = null;
  /** Clients whose programs the workbench itself started and gave a token. */
  readonly #hosted = new Set<string>();
  /** The pause reasons of clients that are not stored and exist only in this run. */
  readonly #pausedOthers = new Map<string, string>();

  /** `folder` contains `clients.json`, which is readable only by its owner; if it is null, the clients are stored in memory only. */
  constructor(folder: string | null) {
    this.#document = new Document({
      file: folder === null ? null : path.join(folder, 'clients.json'),
      schema: storedClients,
      initial: { version: 1, clients: [] },
      title: 'The list of clients',
      salvage: 'fields',
      reserve: true,
    });
  }

  /** The state of the file that stores the clients. */
  get kept(): StoredFile {
    return this.#document;
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  list(): ClientRecord[] {
    return this.#document.value.clients.map((client) => this.#record(client));
  }

  /** Creates a client, or replaces the token of an existing client. Returns the token, which cannot be shown again. */
  async mint(name: string): Promise<{ client: ClientRecord; token: string }> {
    const checked = clientName.parse(name);
    const token = newToken();
    const clients = [...this.#document.value.clients];
    const known = clients.findIndex((client) => client.name.toLowerCase() === checked.toLowerCase());
    const digest = digestOf(token).toString('hex');
    const client = known >= 0 ? { ...clients[known]!, digest, paired: false } : newClient(checked, digest, clients);
    if (known >= 0) clients[known] = client;
    else clients.push(client);
    await this.#document.keep({ version: 1, clients });
    this.#others.delete(client.id);
    if (known >= 0) this.events.emit('revoked', { id: client.id });
    this.#tell(client, 'minted', known >= 0 ? 'new token; the old one is no longer valid' : 'new client');
    return { client: this.#record(client), token };
  }

  /** Creates a client like `mint`, for a program that the workbench itself starts. */
  async host(name: string): Promise<{ client: ClientRecord; token: string }> {
    const minted = await this.mint(name);
    this.#hosted.add(minted.client.id);
    return minted;
  }

  /** Invalidates the token of a client whose program has ended. The person's settings for the client are kept for the next time. */
  async unhost(id: string): Promise<void> {
    if (!this.#hosted.delete(id) || !this.#find(id)) return;
    await this.#edit(id, { digest: digestOf(newToken()).toString('hex') });
    this.events.emit('revoked', { id });
    this.events.emit('changed', this.list());
  }

  /** Returns true for a client whose program the workbench itself has started. */
  isHosted(id: string): boolean {
    return this.#hosted.has(id);
  }

  /**
   * Admits a client without a token, after the person has accepted it under this name, to the shared image or an image of its own. Returns
   * the client's actor. Existing tokens remain valid.
   */
  async pair(name: string, ownImage: boolean): Promise<Actor> {
    const checked = clientName.parse(name);
    const clients = this.#document.value.clients;
    const known = clients.find((client) => client.name.toLowerCase() === checked.toLowerCase());
    // A new client is stored with a random token that the client never receives, so the person is asked about the client again next time.
    const first = { ...newClient(checked, digestOf(newToken()).toString('hex'), clients), paired: true };
    const client = { ...(known ?? first), ownImage };
    if (!known) await this.#document.keep({ version: 1, clients: [...clients, client] });
    else if (known.ownImage !== ownImage) await this.#edit(client.id, { ownImage });
    const where = ownImage ? 'into a separate image' : 'into this image';
    this.#tell(client, 'admitted', `admitted ${where} without a token, for this connection`);
    return actorOf(client);
  }

  /**
   * Returns the suggested name for a client that reports this name and has no token. If a client with a token already has that name, a
   * number is added, because that client's mode and rules must not apply to another client.
   */
  nameFor(says: string): string {
    const name = nameOf(says);
    for (let number = 1; ; number += 1) {
      const tried = number === 1 ? name : `${name} ${number}`;
      const known = this.#document.value.clients.find((client) => client.name.toLowerCase() === tried.toLowerCase());
      if (!known || known.paired) return tried;
    }
  }

  /**
   * Returns the policy data of a client. A client that is not stored, because its token was set when the program started, has the defaults.
   */
  standing(id: string): { mode: ClientMode; paused: string | null; ownImage: boolean } {
    return this.#find(id) ?? { mode: 'collaborate', ownImage: false, paused: this.#pausedOthers.get(id) ?? null };
  }

  /** Returns the tool set of a client. */
  profile(id: string): ClientProfile {
    return this.#find(id)?.profile ?? 'standard';
  }

  /** Returns the actor with this id. Code whose author is unknown counts as an agent's. */
  actor(id: string | null): Actor {
    const client = id === null ? undefined : this.#find(id);
    const others = id === null ? [] : this.#othersOf(id);
    if (client && others.length > 0) return { ...actorOf(client), name: `${client.name} (or ${others.join(', ')})` };
    if (client) return actorOf(client);
    return { id: id ?? UNKNOWN_CLIENT, kind: 'client', name: id ? nameInId(id) : 'unknown code' };
  }

  /**
   * Applies the person's changes to a client: its mode, tools, image or pause. @throws WorkbenchError `not-found` if the client does not
   * exist.
   */
  async change({ id, mode, profile, ownImage, paused }: ClientChange): Promise<void> {
    if (paused === false && this.#pausedOthers.delete(id)) return;
    if (!this.#find(id)) throw new WorkbenchError('not-found', 'This client no longer exists.');
    if (paused === true) await this.pause(id, PAUSED_BY_PERSON);
    if (paused === false) await this.#resume(id);
    if (profile !== undefined) await this.#changeProfile(id, profile);
    const client = this.#find(id)!;
    if (ownImage !== undefined && ownImage !== client.ownImage) {
      await this.#edit(id, { ownImage });
      this.#tell(this.#find(id)!, 'changed', ownImage ? 'in a separate image' : 'in the shared image');
    }
    if (mode === undefined || mode === client.mode) return;
    await this.#edit(id, { mode });
    this.#tell(this.#find(id)!, 'changed', `${mode} mode`);
  }

  /** Pauses a client: its calls are refused until the person resumes the client. With `ends`, its running and waiting calls end too. */
  async pause(id: string, why: string, ends = true): Promise<void> {
    const client = this.#find(id);
    if (!client) this.#pausedOthers.set(id, why);
    else if (client.paused !== null) return;
    else await this.#edit(id, { paused: why });
    this.events.emit('paused', { id, why, ends });
    if (client) this.#tell(client, 'paused', why);
  }

  /** Pauses every known client, connected or not. Returns the ids of those that were not paused before. */
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
    this.#tell(client, 'resumed', 'its calls run again');
  }

  async revoke(id: string): Promise<void> {
    const client = this.#find(id);
    if (!client) throw new WorkbenchError('not-found', 'This client no longer exists.');
    await this.#document.keep({ version: 1, clients: this.#document.value.clients.filter((each) => each !== client) });
    this.events.emit('revoked', { id });
    this.#tell(client, 'revoked', 'token revoked, connections closed');
  }

  /** Returns the client with this token; null if there is none. Always compares all digests, each in constant time. */
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

  /**
   * Returns the actor of a call whose program reports a name, as in MCP's `clientInfo`. If the token was created for another program, the
   * actor's name shows the reported name too, and the person is notified once. The reported name is only a claim, so no right depends on
   * it.
   */
  asProgram(actor: Actor, says: string | undefined): Actor {
    // The workbench itself gave that token to the program, so the reported name does not matter.
    if (says === undefined || this.#hosted.has(actor.id)) return actor;
    const asked = `${actor.name}\n${says}`;
    if (asked === this.#own) return actor;
    if (!isOtherProgram(actor.name, says)) {
      this.#own = asked;
      return actor;
    }
    const label = visibleName(says);
    const others = this.#others.get(actor.id) ?? new Set();
    if (!others.has(label) && others.size < MOST_OTHERS) {
      this.#others.set(actor.id, others.add(label));
      const summary = `a program that says it is ${label} uses its token, so its actions are recorded as ${actor.name}'s. If you did not set that up, give ${actor.name} a new token`;
      this.events.emit('told', { actor, change: 'changed', summary });
      this.events.emit('changed', this.list());
    }
    return { ...actor, name: `${actor.name} (says it is ${label})` };
  }

  /** Counts a new connection. Returns a function to call when the connection ends. */
  connect(actor: Actor, how: string): () => void {
    this.#protocols.set(actor.id, how);
    const client = this.#find(actor.id);
    if (client) this.#seen(client); // a client without a stored record has no last-seen time
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
    this.#edit(client.id, { lastSeenAt: Date.now() }).catch(() => {}); // losing a last-seen time does no harm
    this.events.emit('changed', this.list());
  }

  #othersOf(id: string): string[] {
    return [...(this.#others.get(id) ?? [])];
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

  #record({ digest: _secret, paired: _paired, ...client }: StoredClient): ClientRecord {
    const { calls, failures } = this.#calls.get(client.id) ?? { calls: 0, failures: 0 };
    const others = this.#othersOf(client.id);
    const protocol = this.#protocols.get(client.id) ?? null;
    return {
      ...client,
      connections: this.#connections.get(client.id) ?? 0,
      protocol: others.length > 0 ? `${protocol ?? 'MCP'}, used by ${others.join(', ')}` : protocol,
      calls,
      failures,
    };
  }
}

/** Returns a valid client name made from a label. The name is short enough for a number to be added. */
function nameOf(label: string): string {
  const name = label
    .replaceAll(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 36)
    .trim();
  return name === '' ? 'client' : name;
}
