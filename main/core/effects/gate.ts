/**
 * Checks effects of agents' code against the policy before they happen, and asks the person if the policy requires it (G1–G6). Effects of
 * the same kind in the same evaluation share a card while they wait. All effects of a system that is being loaded also share a card.
 */
import { capitalized } from '#contract/text/text.ts';
import type { Effect, EffectDecision } from '#contract/decisions/effect.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { messageOf } from '#core/base/error.ts';
import type { Project } from '#core/project/project.ts';
import type { Session } from '#core/sessions/session.ts';
import { decide, type ClientPolicy, type EffectRequest, type Verdict } from '#core/approvals/policy/policy.ts';
import { reasonOf } from '#core/approvals/policy/reason.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { ApprovalRequest, Approved, Settlement } from '#core/approvals/request.ts';
import { type AskedEffects, EffectApproval } from './approval.ts';
import { changeInWords, shownEffects } from './card.ts';
import { DeniedLoads } from './denied-loads.ts';
import { type EffectGroup, EffectGroups, threadKeyOf } from './grouping.ts';
import { announcementOf, factOf } from './history.ts';
import { lasting, policyRequestOf, unshowable } from './subject.ts';

export interface EffectGateParts<Outcome> {
  readonly approvals: ApprovalQueue<Outcome>;
  readonly rules: RuleBook;
  readonly project: () => Project;
  readonly actorOf: (id: string | null) => Actor;
  readonly policyOf: (actor: Actor) => ClientPolicy;
  /** Returns the running tool call to which this evaluation belongs; null if there is none. */
  readonly callOf: (session: Session, evaluation: string) => CallOfCode | null;
  readonly tell: (fact: ReturnType<typeof factOf>) => void;
  /** Records an effect that proceeds without asking. If that fails, returns the reason, and the effect is refused (K5). */
  readonly announce: (fact: ReturnType<typeof announcementOf>) => string | null;
  /** Called when an agent has removed the guard. Stops all code of that agent. */
  readonly alarm: (client: string, why: string) => void;
  /** The outcome of every approved request for effects. */
  readonly done: Outcome;
}

/** The call whose code causes an effect. */
export interface CallOfCode {
  /** The handle for which the call's client waits. */
  readonly handle: string;
  /** True if the call's client can ask the person who uses it. */
  readonly askable: boolean;
}

const MOST_CHANGED = 100;

/** The reason, for the card, why the person's own code waits. */
const OWN_CODE = 'you have not accepted the code that agents evaluated in this image';

const PROCEED = { decision: 'proceed', path: null, reason: null } as const;

export class EffectGate<Outcome> {
  readonly #parts: EffectGateParts<Outcome>;
  readonly #groups = new EffectGroups();
  readonly #deniedLoads = new DeniedLoads();
  /** Descriptions of the rules that decided about effects that have not settled yet, by effect id. */
  readonly #rules = new Map<string, string>();
  /** Effects that had changed by the time they were approved, by thread. Each is stored until its thread asks again. */
  readonly #changed = new Map<string, Effect<'settled'>>();

  constructor(parts: EffectGateParts<Outcome>) {
    this.#parts = parts;
  }

  /** Starts deciding about the effects of a session. */
  watch(session: Session): void {
    session.events.on('effect-requested', (effect) => this.#requested(session, effect));
    session.events.on('effect-settled', (effect) => this.#settled(session, effect));
    session.events.on('effect-recorded', (effect) => this.#recorded(session, effect));
    session.events.on('guard-tampered', ({ actor, operators }) => {
      const what = `${operators.slice(0, 3).join(', ')}${operators.length > 3 ? ` and ${operators.length - 3} more` : ''}`;
      const why = `The client’s code removed the guard from ${what}. The effects of that code are unknown. The client is paused until the person resumes it.`;
      this.#parts.alarm(actor, why);
    });
  }

  /** Returns true while this effect is waiting for the person. */
  asks(effect: string): boolean {
    return this.#groups.waits(effect);
  }

  /** Returns the handle of the card that asks about an effect; null if there is no card. */
  cardOf(effect: string): string | null {
    return this.#groups.cardOf(effect);
  }

  #requested(session: Session, effect: Effect<'waiting'>): void {
    const policy = policyRequestOf(effect, this.#parts.project().root);
    if (effect.definedBy !== null) {
      // The person made this call, so an agent's rules, grants, mode and pause do not apply.
      const author = this.#parts.actorOf(effect.definedBy.actor);
      const why = `the code is called by you, defined by ${author.name}, not reviewed`;
      return this.#askIfShowable(session, effect, author, policy, { decision: 'ask', rule: 'author', why });
    }
    if (effect.unreviewed !== null) {
      // Rules and grants do not apply here: they are for agents, and for code whose author is known.
      const verdict = { decision: 'ask', rule: 'unreviewed', why: OWN_CODE } as const;
      return this.#askIfShowable(session, effect, PERSON, policy, verdict);
    }
    const whose = this.#whoseCode(session, effect);
    if (whose === null) return this.#refuse(session, effect, 'the author of this code is unknown');
    const actor = this.#parts.actorOf(whose);
    const verdict = this.#verdict(session, effect, actor, policy);
    switch (verdict.decision) {
      case 'allow': {
        const unrecorded = this.#parts.announce(announcementOf(effect, session, actor, verdict.why));
        if (unrecorded !== null)
          return this.#refuse(
            session,
            effect,
            `it is allowed but was not done, because it could not be recorded. ${unrecorded}`,
          );
        const granted = this.#parts.rules.all.some(({ id, granted }) => granted && id === verdict.rule);
        return this.#answer(session, effect, { ...PROCEED, unasked: !granted });
      }
      case 'deny':
        return this.#refuse(session, effect, verdict.why);
      case 'ask': {
        const offered = lasting(effect, (path) => this.#isWritable(path));
        return this.#askIfShowable(session, effect, actor, { ...policy, lasting: offered }, verdict);
      }
    }
  }

  #verdict(session: Session, effect: Effect<'waiting'>, actor: Actor, policy: EffectRequest): Verdict {
    const { rules, policyOf } = this.#parts;
    // If the effect's evaluation has ended, another client may be using that evaluation's id for its own effect. Such an effect cannot use
    // a grant.
    const sure = session.ranFor.length < 2 || session.underway.some((turn) => turn.evaluation === effect.evaluation);
    const holding = rules.all.filter(({ client, decision }) => sure || client === null || decision !== 'allow');
    const verdict = decide(policy, policyOf(actor), holding);
    rules.note(actor.id, policy, verdict.rule);
    this.#rules.set(effect.effect, verdict.why);
    return verdict;
  }

  /**
   * Returns the client whose code causes the effect. For code outside any evaluation, returns the only client that has run code in this
   * image; null if there is not exactly one.
   */
  #whoseCode(session: Session, { evaluation, actor }: Effect<'waiting'>): string | null {
    if (evaluation !== null) return actor;
    const [only, ...others] = session.ranFor;
    return only === undefined || others.length > 0 ? null : only;
  }

  #askIfShowable(
    session: Session,
    effect: Effect<'waiting'>,
    actor: Actor,
    policy: EffectRequest,
    verdict: Verdict,
  ): void {
    const denied = unshowable(effect) ?? deniedBefore(session, effect) ?? this.#deniedLoads.reasonFor(session, effect);
    if (denied !== null) return this.#refuse(session, effect, denied);
    const before = this.#changed.get(threadKeyOf(session, effect));
    this.#changed.delete(threadKeyOf(session, effect));
    const notice = before?.operator === effect.operator ? changeInWords(before, effect) : null;
    const joined = this.#groups.join(session, effect, policy.configures);
    const group = joined ?? this.#groups.begin(session, effect, policy.configures);
    group.notice ??= notice;
    if (joined) void this.#redraw(joined);
    else void this.#ask({ session, group, first: effect, actor, policy }, verdict);
  }

  async #ask(asked: AskedEffects, verdict: Verdict): Promise<void> {
    const { approvals } = this.#parts;
    const { session, group, first } = asked;
    try {
      const { id, settled } = await approvals.request(this.#requestOf(asked, verdict));
      group.id = id;
      if (group.effects.size === 0) approvals.withdraw(id, 'The code stopped waiting.');
      // Other effects joined the group while the card was drawn.
      if (group.effects.size > 1) await this.#redraw(group);
      const settlement = await settled;
      this.#groups.close(group);
      if (!settlement.denied) return;
      this.#deniedLoads.deny(session, first, settlement.reason);
      this.#denied(session, group, settlement);
    } catch (error) {
      this.#groups.close(group);
      this.#denied(session, group, { denied: true, reason: `Approval could not be requested: ${messageOf(error)}` });
    }
  }

  #requestOf(asked: AskedEffects, verdict: Verdict): ApprovalRequest<Outcome> {
    const { rules, project, policyOf, callOf, done } = this.#parts;
    const { session, group, first, actor } = asked;
    const { effect, evaluation, operator, definedBy } = first;
    const own = evaluation === null || definedBy !== null ? null : evaluation;
    const call = own === null ? null : callOf(session, own);
    return {
      requester: new EffectApproval(asked, rules, project, async (approved) => {
        this.#groups.close(group);
        await this.#proceed(session, group, approved);
        return done;
      }),
      actor,
      call: evaluation ?? effect,
      tool: operator,
      level: 'dangerous',
      arguments: { effect },
      rule: verdict.why,
      reason: reasonOf(verdict, policyOf(actor).mode, asked.policy.configures),
      key: `effect ${effect}`,
      ...(own === null ? {} : { handle: call?.handle ?? own }),
      askable: call?.askable ?? false,
      queueUntil: group.over.signal,
      transient: true,
      ...(group.notice === null ? {} : { notice: group.notice }),
    };
  }

  async #redraw({ id, effects, notice }: EffectGroup): Promise<void> {
    if (id !== null)
      await this.#parts.approvals.redraw(
        id,
        notice ?? `${effects.size.toLocaleString('en-US')} effects are now waiting for this decision.`,
      );
  }

  /** Lets the effects on the card proceed. An effect that was added later gets its own question. */
  async #proceed(session: Session, group: EffectGroup, { path, targetState, by }: Approved): Promise<void> {
    const decision: EffectDecision =
      path === null ? PROCEED : { decision: 'use-path', path: await this.#parts.project().locate(path), reason: null };
    const shown = shownEffects(targetState);
    for (const effect of group.effects.values()) {
      if (!shown.has(effect.effect)) {
        this.#groups.remove(group, effect.effect);
        this.#requested(session, effect);
        continue;
      }
      this.#rules.set(effect.effect, by === undefined ? 'you approved it' : `approved, ${by}`);
      this.#answer(session, effect, decision);
    }
  }

  #denied(
    session: Session,
    group: EffectGroup,
    { reason, abort }: Extract<Settlement<Outcome>, { denied: true }>,
  ): void {
    for (const effect of group.effects.values()) {
      this.#rules.set(effect.effect, `denied: ${reason}`);
      this.#answer(session, effect, { decision: abort ? 'abort' : 'deny', path: null, reason });
    }
  }

  #refuse(session: Session, effect: Effect<'waiting'>, why: string): void {
    this.#rules.set(effect.effect, why);
    this.#answer(session, effect, { decision: 'deny', path: null, reason: capitalized(why) });
  }

  #answer(session: Session, { effect }: Effect<'waiting'>, decision: EffectDecision): void {
    session.decideEffect(effect, decision).catch(() => {}); // if the effect no longer waits, `effect-settled` has already reported it
  }

  #settled(session: Session, effect: Effect<'settled'>): void {
    const group = this.#groups.leave(effect.effect);
    if (group?.effects.size === 0 && group.id !== null)
      this.#parts.approvals.withdraw(group.id, 'The code stopped waiting.');
    if (effect.outcome === 'changed') this.#rememberChanged(session, effect);
    const rule = this.#rules.get(effect.effect) ?? 'the code stopped waiting before a decision';
    this.#rules.delete(effect.effect);
    const { actorOf } = this.#parts;
    const whose =
      effect.definedBy === null
        ? ''
        : ` (called by you, defined by ${actorOf(effect.definedBy.actor).name}, not reviewed)`;
    this.#parts.tell(factOf(effect, session, actorOf(effect.actor), `${rule}${whose}`));
  }

  /** Stores the effect until its thread asks again, which the thread does next. */
  #rememberChanged(session: Session, effect: Effect<'settled'>): void {
    if (this.#changed.size >= MOST_CHANGED) this.#changed.clear();
    this.#changed.set(threadKeyOf(session, effect), effect);
  }

  #recorded(session: Session, effect: Effect<'recorded'>): void {
    const rule =
      effect.outcome === 'recorded'
        ? 'compiled files and the image’s temporary folder need no approval'
        : 'approval could not be requested at that point';
    this.#parts.tell(factOf(effect, session, this.#parts.actorOf(effect.actor), rule));
  }

  /** Returns true if agents' code may write to this path without asking. */
  #isWritable(path: string): boolean {
    return this.#parts.rules.all.some(
      ({ decision, subject: { effect, folder } }) =>
        decision === 'allow' && effect === 'write' && folder !== undefined && isIn(path, folder),
    );
  }
}

/**
 * Returns the reason for denying an effect that was already denied when its system was loaded in a previous image, which was lost; null if
 * it was not denied.
 */
function deniedBefore(session: Session, effect: Effect<'waiting'>): string | null {
  return session.wasDenied(effect) ? 'it was denied when this system was loaded before, so it is denied again' : null;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
