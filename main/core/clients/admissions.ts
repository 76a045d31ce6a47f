/** Clients that knock without a token: each waits until the person lets it in under a name, or refuses it. Nobody else can. */
import { randomUUID } from 'node:crypto';
import type { Admission } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import { Deadline } from '#core/approvals/deadline.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import type { Clients } from './clients.ts';

/** What a client that knocks says of itself, and what the system tells of its process. None of it is proof. */
export type Knock = Pick<Admission, 'label' | 'process'>;

export interface AdmissionDecision {
  /** Null: not let in. */
  readonly actor: Actor | null;
  readonly reason: string;
}

interface Entry {
  readonly admission: Admission;
  readonly deadline: Deadline;
  readonly decide: (decision: AdmissionDecision) => void;
}

/** More than these at once are turned away: a person cannot tell them apart. */
const MOST_WAITING = 3;

export class Admissions {
  readonly events = new Emitter<{ changed: Admission[]; refused: { label: string; reason: string } }>();
  readonly #clients: Clients;
  readonly #minutes: () => number;
  readonly #waiting = new Map<string, Entry>();

  constructor(clients: Clients, minutes: () => number) {
    this.#clients = clients;
    this.#minutes = minutes;
  }

  /** Those who wait, oldest first. */
  list(): Admission[] {
    return [...this.#waiting.values()].map(({ admission }) => admission);
  }

  /** Puts a client before the person; settles with their decision, or at the deadline. Null when too many wait already. */
  knock({ label, process }: Knock): { decided: Promise<AdmissionDecision>; leave: () => void } | null {
    if (this.#waiting.size >= MOST_WAITING) return null;
    const id = randomUUID();
    const { promise: decided, resolve: decide } = Promise.withResolvers<AdmissionDecision>();
    const requestedAt = Date.now();
    const deadline = new Deadline(this.#minutes() * 60_000, () => this.#refuse(id, 'Nobody decided in time.'));
    const admission = { id, label, process, requestedAt, deadline: deadline.at ?? requestedAt };
    this.#waiting.set(id, { admission, deadline, decide });
    this.#changed();
    return { decided, leave: () => this.#take(id)?.decide({ actor: null, reason: 'It left.' }) };
  }

  /**
   * Lets it in as the client of this name, a known one or a new one, into the shared image or one of its own.
   * @throws WorkbenchError `not-found` when it left.
   */
  async admit(id: string, name: string, ownImage = false): Promise<void> {
    if (!this.#waiting.has(id)) throw gone();
    const actor = await this.#clients.letIn(name, ownImage);
    const entry = this.#take(id);
    if (!entry) throw gone();
    entry.decide({ actor, reason: 'The person let it in.' });
  }

  /** @throws WorkbenchError `not-found` when it left. */
  refuse(id: string): void {
    if (!this.#refuse(id, 'The person refused it.')) throw gone();
  }

  dispose(): void {
    for (const id of this.#waiting.keys()) this.#refuse(id, 'The workbench was closed.');
  }

  #refuse(id: string, reason: string): boolean {
    const entry = this.#take(id);
    if (!entry) return false;
    this.events.emit('refused', { label: entry.admission.label, reason });
    entry.decide({ actor: null, reason });
    return true;
  }

  #take(id: string): Entry | null {
    const entry = this.#waiting.get(id);
    if (!entry) return null;
    this.#waiting.delete(id);
    entry.deadline.cancel();
    this.#changed();
    return entry;
  }

  #changed(): void {
    this.events.emit('changed', this.list());
  }
}

function gone(): WorkbenchError {
  return new WorkbenchError('not-found', 'This client does not wait any more.');
}
