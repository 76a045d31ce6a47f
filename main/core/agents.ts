/** The person's control over the agents: their policies, pausing and stopping them, and the requests left by the previous run. */
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
  /** The target of the clients' own images. */
  readonly ownPlace: Pick<SessionOptions, 'target' | 'wantedTarget'>;
  /** Returns the reason why no client may act in the open folder; null if clients may act. */
  readonly untrusted: () => string | null;
  /** Resolves with the known effects outside the image of a call in an earlier run. */
  readonly effectsOf: (call: string) => Promise<{ effects: string[]; total: number }>;
  /** The answer to all effects; `ask` if the person is asked about each. */
  readonly effects: ClientPolicy['effects'];
  /** Instructions for resuming a paused client when there is no window; null if there is a window. */
  readonly release: string | null;
}

export class Agents {
  readonly #parts: AgentParts;
  /** The images of clients that have their own, by client. */
  readonly #images = new Map<string, Session>();
  /** The reasons why a client's calls are refused for now, by client: the person has stopped the client's turn. */
  readonly #held = new Map<string, string>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { clients, approvals, executor } = parts;
    // The client's running code is not interrupted, because it is about to receive the refusal.
    installCircuitBreaker(approvals, (id, why) => void clients.pause(id, why, false));
    clients.events.on('paused', ({ id, why, ends }) => ends && this.#end(id, this.#told(why)));
    clients.events.on('revoked', ({ id }) => {
      this.#held.delete(id); // a later client may have the same name
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

  /** Returns the reason why a client is paused. If there is no window, adds instructions for resuming it. */
  #told(why: string): string {
    const { release } = this.#parts;
    return release === null ? why : `${why} ${release}`;
  }

  /** Returns the image in which a client works: the shared one, or its own, which is opened on first use. */
  sessionOf({ id, name }: Actor): { session: Session; shared: boolean } {
    const { clients, sessions, shared } = this.#parts;
    if (!clients.standing(id).ownImage) return { session: sessions.main, shared };
    const open = this.#images.get(id);
    if (open) return { session: open, shared: false };
    const session = sessions.open(`image of ${name}`, this.#parts.ownPlace);
    this.#images.set(id, session);
    return { session, shared: false };
  }

  /** Returns true if a client works in this image. Does not open an image. */
  worksIn({ id }: Actor, session: Session): boolean {
    const { clients, sessions } = this.#parts;
    return clients.standing(id).ownImage ? this.#images.get(id) === session : session === sessions.main;
  }

  /**
   * Pauses all agents until the person resumes them, and interrupts all their running code. Returns the ids of the agents that were not
   * paused before.
   */
  async stopAll(): Promise<string[]> {
    const paused = await this.#parts.clients.pauseAll();
    this.#interrupt(({ kind }) => kind === 'client');
    return paused;
  }

  /** Refuses the calls of a client with the given reason; with null, accepts them again. Used between the turns of a stopped agent. */
  hold(id: string, why: string | null): void {
    if (why === null) this.#held.delete(id);
    else this.#held.set(id, why);
  }

  /** Denies the client's waiting requests and interrupts its running code. Its rules remain, and it is not paused. */
  interrupt(id: string, why: string): void {
    this.#parts.approvals.denyAllOf(id, why);
    this.#interrupt((actor) => actor.id === id);
  }

  /**
   * Asks again about requests that the previous run left undecided, or approved but not started. Requests that had started are only
   * reported.
   */
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
      const did = total === 0 ? 'It has no known effects outside the image.' : `It had: ${effects.join('; ')}${more}.`;
      const what = `The program ended while this ran: ${headline}. ${did} Check whether it was done before you request it again.`;
      return approvals.addUnknown(record, what);
    }
    const notice =
      state === 'approved'
        ? 'You had approved this, and the program ended before it began. Nothing ran. Run it now?'
        : `The program ended before you decided, so ${actor.name} is no longer waiting. Run anyway?`;
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
      approvals.addUnknown(record, `The request was not done: ${messageOf(error)}`);
    }
  }

  /** Closes the images of clients that no longer exist or that use the shared image again. */
  #closeImages(known: readonly ClientRecord[]): void {
    for (const [id, { id: session }] of this.#images) {
      if (known.some((client) => client.id === id && client.ownImage)) continue;
      this.#images.delete(id);
      void this.#parts.sessions.close(session);
    }
  }

  /** Ends a client's work: denies its waiting requests, interrupts its running code, and revokes its grants. */
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
