/** The agents as the person steers them: what policy knows of each, pausing and stopping, and what the program before left open. */
import type { ClientRecord } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import { installBreaker } from './approvals/breaker.ts';
import type { ClientPolicy } from './approvals/policy.ts';
import type { ApprovalQueue } from './approvals/queue.ts';
import type { ApprovalRecord } from './approvals/records.ts';
import type { RuleBook } from './approvals/rules.ts';
import type { Clients } from './clients/clients.ts';
import { messageOf } from './error.ts';
import type { Session } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { Caller, Executor } from './tools/execute.ts';
import type { ToolOutcome } from './tools/tool.ts';

export interface AgentParts {
  readonly clients: Clients;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly rules: RuleBook;
  readonly executor: Executor;
  readonly sessions: Sessions;
  readonly shared: boolean;
  /** Why no client may do anything in the folder that is open; null when they may. */
  readonly untrusted: () => string | null;
  /** What a call of an earlier run is known to have done outside the image. */
  readonly effectsOf: (call: string) => Promise<{ effects: string[]; total: number }>;
  /** What takes the place of asking about effects. */
  readonly effects: ClientPolicy['effects'];
}

export class Agents {
  readonly #parts: AgentParts;
  /** Images of clients that have their own, by client. */
  readonly #images = new Map<string, Session>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { clients, approvals, executor } = parts;
    // What runs goes on: its code is just being told of the refusal.
    installBreaker(approvals, (id, why) => void clients.pause(id, why, false));
    clients.events.on('paused', ({ id, why, ends }) => ends && this.#end(id, why));
    clients.events.on('revoked', ({ id }) => this.#end(id, 'The token of this client is void.'));
    clients.events.on('told', ({ actor, change }) => {
      if (change === 'disconnected' && !clients.isConnected(actor.id)) approvals.leftBy(actor);
    });
    clients.events.on('changed', (all) => this.#closeImages(all));
    executor.hooks.push((phase, _tool, _args, result, { actor, id }) => {
      if (phase === 'before' || result?.metadata.status === 'pending_approval') return;
      clients.counted(actor.id, result?.success ?? false);
      parts.rules.evaluationEnded(id);
    });
  }

  policyOf({ id, name }: Actor): ClientPolicy {
    const { clients, effects, untrusted } = this.#parts;
    const { mode, paused } = clients.standing(id);
    return { id, name, mode, paused: untrusted() ?? paused, effects };
  }

  /** The image that a client works in: the shared one, or its own, which is opened when it is first needed. */
  sessionOf({ id, name }: Actor): { session: Session; shared: boolean } {
    const { clients, sessions, shared } = this.#parts;
    if (!clients.standing(id).ownImage) return { session: sessions.main, shared };
    const open = this.#images.get(id);
    if (open) return { session: open, shared: false };
    const session = sessions.open(`image of ${name}`);
    this.#images.set(id, session);
    return { session, shared: false };
  }

  /** Whether a client works in this image; none is opened for the answer. */
  worksIn({ id }: Actor, session: Session): boolean {
    const { clients, sessions } = this.#parts;
    return clients.standing(id).ownImage ? this.#images.get(id) === session : session === sessions.main;
  }

  /**
   * Stops every agent: none is answered until the person lets it go on, and nothing of theirs runs any more. Gives the ids
   * of those that were not paused before.
   */
  async stopAll(): Promise<string[]> {
    const paused = await this.#parts.clients.pauseAll();
    this.#interrupt(({ kind }) => kind === 'client');
    return paused;
  }

  /** Asks again what the program before left undecided or approved without beginning it; tells of what had begun. */
  async restore(records: readonly ApprovalRecord[]): Promise<void> {
    for (const record of records) await this.#restore(record);
  }

  async #restore(record: ApprovalRecord): Promise<void> {
    const { approvals, executor } = this.#parts;
    const { actor, headline, state } = record;
    if (state === 'started') {
      const { effects, total } = await this.#parts.effectsOf(record.call);
      const more = total > effects.length ? `, and ${total - effects.length} more` : '';
      const did = total === 0 ? 'No effect of it outside the image is known.' : `It had: ${effects.join('; ')}${more}.`;
      const what = `The program ended while this ran: ${headline}. ${did} Look whether it was done before it is asked for again.`;
      return approvals.tellUnknown(record, what);
    }
    const notice =
      state === 'approved'
        ? 'You had approved this, and the program ended before it began. Nothing ran. Run it now?'
        : `The program ended before you decided, and ${actor.name} waits no more. Run anyway?`;
    const caller: Caller = {
      actor,
      context: actor.id,
      ...this.sessionOf(actor),
      policy: this.policyOf(actor),
      holdMs: 0,
      signal: new AbortController().signal,
    };
    try {
      await executor.askAgain(record, caller, notice);
    } catch (error) {
      approvals.tellUnknown(record, `It was not done: ${messageOf(error)}`);
    }
  }

  /** Images of clients that work in the shared one again, or are gone. */
  #closeImages(known: readonly ClientRecord[]): void {
    for (const [id, { id: session }] of this.#images) {
      if (known.some((client) => client.id === id && client.ownImage)) continue;
      this.#images.delete(id);
      void this.#parts.sessions.close(session);
    }
  }

  /** Nothing of this client goes on: what waits is denied, what runs is interrupted, what was granted ends. */
  #end(id: string, why: string): void {
    this.#parts.approvals.denyAllOf(id, why);
    this.#parts.rules.revokeOf(id);
    this.#interrupt((actor) => actor.id === id);
  }

  #interrupt(meant: (actor: Actor) => boolean): void {
    for (const session of this.#parts.sessions.all) {
      const { running, parked, waiting } = session.view();
      for (const { evaluation, actor } of [...waiting, ...parked, ...(running ? [running] : [])])
        if (meant(actor)) void session.interrupt(evaluation);
    }
  }
}
