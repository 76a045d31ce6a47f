/** The table of servers. Starts and stops each server on request, one operation after the other, and reports its state. */
import { PERSON, WORKBENCH } from '#contract/clients/known-actors.ts';
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';
import { SERVER_KINDS, SERVER_TITLES } from '#contract/clients/server-list.ts';
import type { Actor } from '#contract/image/session.ts';
import type { ActivityStream } from '#core/activity/stream.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Listener, Listening } from './listener.ts';

interface Entry {
  readonly listener: Listener;
  record: ServerRecord;
  /** The current run of the server; reports from earlier runs are ignored. */
  run: symbol | null;
  listening: Listening | null;
  /** The port of the latest start. */
  port: number;
  /** Aborts a running start that is not wanted any more. */
  starting: AbortController | null;
  /** The latest start or stop; the next one waits for it. */
  last: Promise<void>;
}

export class Servers {
  readonly events = new Emitter<{ changed: ServerRecord[] }>();
  readonly #activity: Pick<ActivityStream, 'publish'>;
  readonly #entries = new Map<ServerKind, Entry>();
  #disposed = false;

  constructor(activity: Pick<ActivityStream, 'publish'>) {
    this.#activity = activity;
  }

  /** Adds a server to the table. With `starting`, the program will start it automatically. */
  add(listener: Listener, state: 'off' | 'starting' = 'off'): void {
    const { kind, usualPort } = listener;
    const record: ServerRecord = { ...OFF, state, kind, usualPort };
    const idle = { run: null, listening: null, starting: null, last: Promise.resolve() };
    this.#entries.set(kind, { listener, record, port: usualPort, ...idle });
    this.#tell();
  }

  list(): ServerRecord[] {
    return SERVER_KINDS.flatMap((kind) => this.#entries.get(kind)?.record ?? []);
  }

  /** Returns the record of a server. @throws WorkbenchError `not-found` if this program has no such server. */
  record(kind: ServerKind): ServerRecord {
    return this.#entry(kind).record;
  }

  /**
   * Starts a server unless it is listening already. Resolves with its record when it listens or has failed. Port 0 uses any free port, null
   * the usual one.
   */
  start(kind: ServerKind, port: number | null = null, actor: Actor = PERSON): Promise<ServerRecord> {
    const entry = this.#entry(kind);
    return this.#inTurn(entry, () => this.#start(entry, port ?? entry.listener.usualPort, actor));
  }

  /** Stops a server with its connections. A server that is about to start does not start. */
  stop(kind: ServerKind, actor: Actor = PERSON): Promise<ServerRecord> {
    const entry = this.#entry(kind);
    entry.starting?.abort();
    return this.#inTurn(entry, () => this.#stop(entry, actor));
  }

  /** Performs an action that a failed server offers, and restarts the server on its previous port. */
  async act(kind: ServerKind, offer: string): Promise<ServerRecord> {
    const { listener, record, port } = this.#entry(kind);
    if (!record.offers.some(({ id }) => id === offer) || !listener.act)
      throw new WorkbenchError('not-found', `${SERVER_TITLES[kind]} no longer offers this action. Start it again.`);
    await listener.act(offer);
    return this.start(kind, port);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#entries.keys()].map((kind) => this.stop(kind, WORKBENCH)));
  }

  async #start(entry: Entry, port: number, actor: Actor): Promise<void> {
    if (this.#disposed || entry.listening) return;
    const { listener } = entry;
    entry.port = port;
    const run = (entry.run = Symbol(listener.kind));
    const { signal } = (entry.starting = new AbortController());
    const isMeant = (): boolean => entry.run === run;
    this.#change(entry, { ...OFF, state: 'starting' });
    try {
      const listening = await listener.listen(
        port,
        {
          changed: (facts) => isMeant() && this.#change(entry, facts),
          ended: (why) => isMeant() && this.#fail(entry, why, WORKBENCH),
        },
        signal,
      );
      if (!isMeant()) return await listening.close();
      entry.listening = listening;
      if (signal.aborted) return await this.#stop(entry, actor);
      const { address, port: taken, notice = null, certificate = null } = listening;
      this.#change(entry, { state: 'on', address, port: taken, since: Date.now(), notice, certificate });
      this.#publish(actor, 'started', `${listener.serves} on ${address}`);
    } catch (error) {
      if (signal.aborted) this.#change(entry, OFF);
      else this.#fail(entry, messageOf(error), actor);
    } finally {
      entry.starting = null;
    }
  }

  async #stop(entry: Entry, actor: Actor): Promise<void> {
    const { listening, listener } = entry;
    entry.run = null;
    entry.listening = null;
    await listening?.close();
    this.#change(entry, OFF);
    if (listening && !this.#disposed) this.#publish(actor, 'stopped', `${listener.serves} on ${listening.address}`);
  }

  #fail(entry: Entry, problem: string, actor: Actor): void {
    entry.run = null;
    entry.listening = null;
    this.#change(entry, { ...OFF, state: 'failed', problem, offers: entry.listener.offers?.() ?? [] });
    this.#publish(actor, 'failed', problem);
  }

  /** Runs one start or stop after the earlier ones, and resolves with the server's state afterwards. */
  async #inTurn(entry: Entry, work: () => Promise<void>): Promise<ServerRecord> {
    const turn = entry.last.then(work);
    entry.last = turn.catch(() => {});
    await turn;
    return entry.record;
  }

  #entry(kind: ServerKind): Entry {
    const entry = this.#entries.get(kind);
    if (!entry) throw new WorkbenchError('not-found', `This program has no ${SERVER_TITLES[kind]} server.`);
    return entry;
  }

  #change(entry: Entry, change: Partial<ServerRecord>): void {
    entry.record = { ...entry.record, ...change };
    this.#tell();
  }

  #tell(): void {
    this.events.emit('changed', this.list());
  }

  #publish(actor: Actor, change: 'started' | 'stopped' | 'failed', summary: string): void {
    this.#activity.publish({ kind: 'server-changed', actor, change, summary });
  }
}

const OFF = {
  state: 'off',
  address: null,
  port: null,
  since: null,
  connections: null,
  problem: null,
  notice: null,
  refused: null,
  certificate: null,
  offers: [],
} as const satisfies Partial<ServerRecord>;
