/** Pairing: a client without a token waits until the person accepts it under a name, or refuses it. Only the person can decide. */
import { randomUUID } from 'node:crypto';
import type { PairingRequest } from '#contract/clients/client.ts';
import { visible, visibleName } from '#contract/text/visible.ts';
import type { Actor } from '#contract/image/session.ts';
import { Deadline } from '#core/approvals/deadline.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Clients } from './clients.ts';

/** The name that a client reports when it asks to be paired, and the system's information about its process. Neither is proof. */
export type PairingClaim = Pick<PairingRequest, 'label' | 'process'>;

export interface PairingDecision {
  /** The client's actor; null if the client is refused. */
  readonly actor: Actor | null;
  readonly reason: string;
}

interface Entry {
  readonly admission: PairingRequest;
  readonly deadline: Deadline;
  readonly decide: (decision: PairingDecision) => void;
}

/** The maximum number of clients that can wait at once, because a person could not distinguish more. Further clients are rejected. */
const MOST_WAITING = 3;

export class Pairing {
  readonly events = new Emitter<{ changed: PairingRequest[]; refused: { label: string; reason: string } }>();
  readonly #clients: Clients;
  readonly #minutes: () => number;
  readonly #waiting = new Map<string, Entry>();

  constructor(clients: Clients, minutes: () => number) {
    this.#clients = clients;
    this.#minutes = minutes;
  }

  /** Lists the waiting requests, oldest first. */
  list(): PairingRequest[] {
    return [...this.#waiting.values()].map(({ admission }) => admission);
  }

  /**
   * Asks the person about a client. The promise resolves with the person's decision, or at the deadline. Returns null if too many clients
   * are already waiting.
   */
  request({
    label: said,
    process: told,
  }: PairingClaim): { decided: Promise<PairingDecision>; leave: () => void } | null {
    if (this.#waiting.size >= MOST_WAITING) return null;
    const id = randomUUID();
    // The connecting program chose both texts, so only versions with visible characters are displayed and recorded.
    const label = visibleName(said);
    const process = told && {
      pid: told.pid,
      command: visible(told.command),
      startedBy: told.startedBy === null ? null : visible(told.startedBy),
    };
    const { promise: decided, resolve: decide } = Promise.withResolvers<PairingDecision>();
    const requestedAt = Date.now();
    const deadline = new Deadline(this.#minutes() * 60_000, () =>
      this.#refuse(id, 'The person did not decide in time.'),
    );
    const admission = {
      id,
      label,
      name: this.#clients.nameFor(label),
      process,
      requestedAt,
      deadline: deadline.at ?? requestedAt,
    };
    this.#waiting.set(id, { admission, deadline, decide });
    this.#changed();
    return { decided, leave: () => this.#take(id)?.decide({ actor: null, reason: 'The client disconnected.' }) };
  }

  /**
   * Accepts the client under this name, which may be known or new. The client uses the shared image or, with `ownImage`, its own.
   * @throws WorkbenchError `not-found` if the client has disconnected.
   */
  async admit(id: string, name: string, ownImage = false): Promise<void> {
    if (!this.#waiting.has(id)) throw gone();
    const actor = await this.#clients.pair(name, ownImage);
    const entry = this.#take(id);
    if (!entry) throw gone();
    entry.decide({ actor, reason: 'The person accepted this client.' });
  }

  /** @throws WorkbenchError `not-found` if the client has disconnected. */
  refuse(id: string): void {
    if (!this.#refuse(id, 'The person refused this client.')) throw gone();
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
  return new WorkbenchError('not-found', 'This client is no longer waiting.');
}
