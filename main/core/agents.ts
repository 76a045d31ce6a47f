/** The agents as the person steers them: what policy knows of each, pausing and stopping, and what the program before left open. */
import type { ClientRecord } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import { underwayIn } from '#contract/image/underway.ts';
import { installCircuitBreaker } from '#core/approvals/circuit-breaker.ts';
import type { ClientPolicy } from '#core/approvals/policy/policy.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { ApprovalRecord } from '#core/approvals/results/records.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import type { Clients } from './clients/clients.ts';
import { messageOf } from './base/error.ts';
import type { Session } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SessionOptions } from './sessions/supervisor/recovery.ts';
import type { Caller } from '#core/tools/executor/caller.ts';
import type { Executor } from '#core/tools/executor/executor.ts';
import { publishedNameOf } from '#core/tools/registry.ts';
import type { ToolOutcome } from './tools/tool.ts';

export interface AgentParts {
  readonly clients: Clients;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly rules: RuleBook;
  readonly executor: Executor;
  readonly sessions: Sessions;
  readonly shared: boolean;
  /** Where images run that clients have of their own. */
  readonly ownPlace: Pick<SessionOptions, 'target' | 'wantedTarget'>;
  /** Why no client may do anything in the folder that is open; null when they may. */
  readonly untrusted: () => string | null;
  /** Resolves with the effects that a call of an earlier run is known to have had outside the image. */
  readonly effectsOf: (call: string) => Promise<{ effects: string[]; total: number }>;
  /** The answer to effects in place of asking. */
  readonly effects: ClientPolicy['effects'];
  /** How a paused client goes on where no window can let it; null where one can. */
  readonly release: string | null;
}

export class Agents {
  readonly #parts: AgentParts;
  /** Images of clients that have their own, by client. */
  readonly #images = new Map<string, Session>();
  /** Why calls of clients are refused for now: turns of theirs that the person stopped. */
  readonly #held = new Map<string, string>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { clients, approvals, executor } = parts;
    // What runs goes on: its code is just being told of the refusal.
    installCircuitBreaker(approvals, (id, why) => void clients.pause(id, why, false));
    clients.events.on('paused', ({ id, why, ends }) => ends && this.#end(id, this.#told(why)));
    clients.events.on('revoked', ({ id }) => {
      this.#held.delete(id); // a later client may have its name
      this.#end(id, 'The token of this client was revoked.');
    });
    clients.events.on('told', ({ actor, change }) => {
      if (change === 'disconnected' && !clients.isConnected(actor.id)) approvals.leftBy(actor);
    });
    clients.events.on('changed', (all) => this.#closeImages(all));
    executor.events.on('ended', ({ id, actor, result }) => {
      if (['pending_approval', 'running'].includes(result.metadata.status ?? '')) return;
      clients.counted(actor.id, result.success);
      parts.rules.evaluationEnded(id);
    });
  }

  policyOf({ id, name }: Actor): ClientPolicy {
    const { clients, effects, untrusted } = this.#parts;
    const { mode, paused } = clients.standing(id);
    const why = untrusted() ?? (paused === null ? (this.#held.get(id) ?? null) : this.#told(paused));
    return { id, name, mode, paused: why, effects };
  }

  /** Why a client is paused, with how it goes on where nobody sits at a window. */
  #told(why: string): string {
    const { release } = this.#parts;
    return release === null ? why : `${why} ${release}`;
  }

  /** The image that a client works in: the shared one, or its own, which is opened when it is first needed. */
  sessionOf({ id, name }: Actor): { session: Session; shared: boolean } {
    const { clients, sessions, shared } = this.#parts;
    if (!clients.standing(id).ownImage) return { session: sessions.main, shared };
    const open = this.#images.get(id);
    if (open) return { session: open, shared: false };
    const session = sessions.open(`image of ${name}`, this.#parts.ownPlace);
    this.#images.set(id, session);
    return { session, shared: false };
  }

  /** True when a client works in this image; none is opened for the answer. */
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

  /** Refuses the calls of a client with these words until they are null: between turns of an agent that was stopped. */
  hold(id: string, why: string | null): void {
    if (why === null) this.#held.delete(id);
    else this.#held.set(id, why);
  }

  /** Denies what a client waits for, and interrupts what it runs. Its rules stay, and it is not paused. */
  interrupt(id: string, why: string): void {
    this.#parts.approvals.denyAllOf(id, why);
    this.#interrupt((actor) => actor.id === id);
  }

  /** Asks again what the program before left undecided or approved without beginning it; tells of what had begun. */
  async restore(records: readonly ApprovalRecord[]): Promise<void> {
    for (const record of records) await this.#restore(record);
  }

  async #restore(stored: ApprovalRecord): Promise<void> {
    const { approvals, executor } = this.#parts;
    const record = { ...stored, tool: publishedNameOf(stored.tool) };
    const { actor, headline, state } = record;
    if (state === 'started') {
      const { effects, total } = await this.#parts.effectsOf(record.call);
      const more = total > effects.length ? `, and ${total - effects.length} more` : '';
      const did = total === 0 ? 'No effect of it outside the image is known.' : `It had: ${effects.join('; ')}${more}.`;
      const what = `The program ended while this ran: ${headline}. ${did} Look whether it was done before it is asked for again.`;
      return approvals.addUnknown(record, what);
    }
    const notice =
      state === 'approved'
        ? 'You had approved this, and the program ended before it began. Nothing ran. Run it now?'
        : `The program ended before you decided: ${actor.name} no longer waits. Run anyway?`;
    const caller: Caller = {
      actor,
      connectionId: actor.id,
      ...this.sessionOf(actor),
      policy: this.policyOf(actor),
      approvalTimeoutMs: 0,
    };
    try {
      await executor.askAgain(record, caller, notice);
    } catch (error) {
      approvals.addUnknown(record, `It was not done: ${messageOf(error)}`);
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

  /** Ends everything of this client: what waits is denied, what runs is interrupted, what was granted ends. */
  #end(id: string, why: string): void {
    this.#parts.approvals.denyAllOf(id, why);
    this.#parts.rules.revokeOf(id);
    this.#interrupt((actor) => actor.id === id);
  }

  #interrupt(meant: (actor: Actor) => boolean): void {
    for (const session of this.#parts.sessions.all) {
      session.held.abandon(meant);
      const view = session.view();
      for (const { evaluation, actor } of [...view.waiting, ...underwayIn(view).reverse()])
        if (meant(actor)) void session.interrupt(evaluation);
    }
  }
}
