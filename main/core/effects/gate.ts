/**
 * What agents' code is about to do outside the image, put before policy, and where that asks, before the person (G1–G6).
 * Effects of one kind that one evaluation waits for share a card, and so do all that a system has while it is loaded.
 */
import { capitalized } from '#contract/text.ts';
import type { EffectDecision, EffectRecord, RecordedEffect } from '#contract/effect.ts';
import type { Actor } from '#contract/session.ts';
import { messageOf } from '#core/error.ts';
import type { Project } from '#core/project/project.ts';
import type { SettledEffect } from '#core/sessions/effects.ts';
import type { Session } from '#core/sessions/session.ts';
import { reviewOf } from './author-review.ts';
import { changeInWords, effectFacts, shownEffects } from './card.ts';
import { groupKeyOf, loadKeyOf, threadKeyOf } from './grouping.ts';
import { isCovered, lasting, ruleTarget, unshowable } from './subject.ts';
import { decide, type ClientPolicy, type EffectRequest, type Verdict } from '#core/approvals/policy/policy.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import { reasonOf } from '#core/approvals/policy/reason.ts';
import type { ApprovalRequest, Approved, Settlement, Requester } from '#core/approvals/request.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';

/** An effect as the record of activity has it. */
interface ToldEffect {
  readonly actor: Actor;
  readonly session: string;
  readonly evaluation: string | null;
  readonly kind: string;
  readonly operator: string;
  readonly target: string;
  readonly outcome: string;
  /** What decided, in words. */
  readonly rule: string;
}

export interface EffectGateParts<Outcome> {
  readonly approvals: ApprovalQueue<Outcome>;
  readonly rules: RuleBook;
  readonly project: () => Project;
  readonly actorOf: (id: string | null) => Actor;
  readonly policyOf: (actor: Actor) => ClientPolicy;
  readonly tell: (effect: ToldEffect) => void;
  /** Records what goes on without being asked about. Gives why it could not be; then it does not go on (K5). */
  readonly announce: (effect: Omit<ToldEffect, 'outcome'>) => string | null;
  /** An agent took the guard away: nothing of it goes on. */
  readonly alarm: (client: string, why: string) => void;
  /** What an approved request of this kind comes to. */
  readonly done: Outcome;
}

interface Group {
  readonly effects: Map<string, EffectRecord>;
  /** Handle of its card, once it has one. */
  id: string | null;
  /** Its card is decided: what comes now gets another one. */
  closed: boolean;
  /** Fires when none of them waits any more. */
  readonly over: AbortController;
}

/** More targets than these get a card of their own: a person can look through so many. */
const MOST_TARGETS = 500;

const MOST_CHANGED = 100;

const PROCEED = { decision: 'proceed', path: null, reason: null } as const;

export class EffectGate<Outcome> {
  readonly #parts: EffectGateParts<Outcome>;
  /** Those that more effects can join, by what they have in common. */
  readonly #groups = new Map<string, Group>();
  /** The group of each effect that waits for the person. */
  readonly #waiting = new Map<string, Group>();
  /** Loads of systems that the person denied to reach outside, with why: the rest of what they try is not asked about. */
  readonly #deniedLoads = new Map<string, string>();
  /** What decided about effects that have not settled yet. */
  readonly #rules = new Map<string, string>();
  /** What was approved and had changed by then, by thread, until it is asked for again. */
  readonly #changed = new Map<string, EffectRecord>();

  constructor(parts: EffectGateParts<Outcome>) {
    this.#parts = parts;
  }

  /** Decides about the effects of a session from now on. */
  watch(session: Session): void {
    session.events.on('effect-requested', (effect) => this.#requested(session, effect));
    session.events.on('effect-settled', (settled) => this.#settled(session, settled));
    session.events.on('effect-recorded', (effect) => this.#recorded(session, effect));
    session.events.on('guard-tampered', ({ actor, operators }) => {
      const what = `${operators.slice(0, 3).join(', ')}${operators.length > 3 ? ` and ${operators.length - 3} more` : ''}`;
      const why = `Its code took the guard away from ${what}. What that code did meanwhile is not known. The client is paused until the person lets it go on.`;
      this.#parts.alarm(actor, why);
    });
  }

  /** Whether this effect waits for the person. */
  asks(effect: string): boolean {
    return this.#waiting.has(effect);
  }

  #requested(session: Session, effect: EffectRecord): void {
    const request = policyRequestOf(effect);
    if (effect.definedBy !== null) {
      // The person called it: neither an agent's rules and grants nor its mode or pause answer for them.
      const author = this.#parts.actorOf(effect.definedBy.actor);
      const why = `the code is called by you, defined by ${author.name}, not reviewed`;
      const unseen = unshowable(effect);
      if (unseen !== null) return this.#refuse(session, effect, unseen);
      return this.#ask(session, effect, author, request, { decision: 'ask', rule: 'author', why });
    }
    const whose = this.#whoseCode(session, effect);
    if (whose === null) return this.#refuse(session, effect, 'it is not known whose code this is');
    const actor = this.#parts.actorOf(whose);
    // An effect whose evaluation is over could be another client's that took its name: no grant answers for it.
    const sure = session.ranFor.length < 2 || session.underway.some((turn) => turn.evaluation === effect.evaluation);
    const rules = this.#parts.rules.all.filter(
      ({ client, decision }) => sure || client === null || decision !== 'allow',
    );
    const verdict = decide(request, this.#parts.policyOf(actor), rules);
    this.#parts.rules.note(actor.id, request, verdict.rule);
    this.#rules.set(effect.effect, verdict.why);
    if (verdict.decision === 'allow') {
      const { evaluation, kind, operator, target } = effect;
      const unrecorded = this.#parts.announce({
        actor,
        session: session.id,
        evaluation,
        kind,
        operator,
        target,
        rule: verdict.why,
      });
      if (unrecorded !== null) return this.#refuse(session, effect, `it is allowed but was not done. ${unrecorded}`);
      return this.#answer(session, effect, PROCEED);
    }
    if (verdict.decision === 'deny') return this.#refuse(session, effect, verdict.why);
    const hidden = unshowable(effect);
    if (hidden !== null) return this.#refuse(session, effect, hidden);
    this.#ask(
      session,
      effect,
      actor,
      { ...request, lasting: lasting(effect, (each) => this.#isWritable(each)) },
      verdict,
    );
  }

  /** Code of no evaluation is of the only client whose code ran here; null where there are several. */
  #whoseCode(session: Session, { evaluation, actor }: EffectRecord): string | null {
    if (evaluation !== null) return actor;
    const [only, ...others] = session.ranFor;
    return only === undefined || others.length > 0 ? null : only;
  }

  #ask(session: Session, effect: EffectRecord, actor: Actor, request: EffectRequest, verdict: Verdict): void {
    const denied = effect.definedBy === null ? this.#deniedLoads.get(loadKeyOf(session, effect)) : undefined;
    if (denied !== undefined) return this.#refuse(session, effect, denied);
    const before = this.#changed.get(threadKeyOf(session, effect));
    this.#changed.delete(threadKeyOf(session, effect));
    const notice = before?.operator === effect.operator ? changeInWords(before, effect) : null;
    const key = groupKeyOf(session, effect);
    const open = this.#groups.get(key);
    if (open && !open.closed && open.effects.size < MOST_TARGETS) {
      open.effects.set(effect.effect, effect);
      this.#waiting.set(effect.effect, open);
      void this.#redraw(open, notice);
      return;
    }
    const group: Group = {
      effects: new Map([[effect.effect, effect]]),
      id: null,
      closed: false,
      over: new AbortController(),
    };
    this.#groups.set(key, group);
    this.#waiting.set(effect.effect, group);
    this.#parts.approvals
      .request({
        ...this.#requestOf(session, group, actor, request, verdict, effect),
        ...(notice === null ? {} : { notice }),
      })
      .then(async ({ id, settled }) => {
        group.id = id;
        if (group.effects.size === 0) this.#parts.approvals.withdraw(id, 'The code stopped waiting.');
        // Others came while it was drawn.
        if (group.effects.size > 1) await this.#redraw(group);
        const settlement = await settled;
        this.#close(key, group);
        if (!settlement.denied) return;
        if (effect.system !== null && effect.definedBy === null) this.#denyLoad(session, effect, settlement.reason);
        this.#denied(session, group, settlement);
      })
      .catch((error: unknown) => {
        this.#close(key, group);
        this.#denied(session, group, { denied: true, reason: `It could not be asked: ${messageOf(error)}` });
      });
  }

  #requestOf(
    session: Session,
    group: Group,
    actor: Actor,
    request: EffectRequest,
    verdict: Verdict,
    record: EffectRecord,
  ): ApprovalRequest<Outcome> {
    const { effect, evaluation, operator, definedBy } = record;
    return {
      requester: this.#requesterOf(session, group, actor, request, record),
      actor,
      call: evaluation ?? effect,
      tool: operator,
      level: 'dangerous',
      arguments: { effect },
      rule: verdict.why,
      reason: reasonOf(verdict, this.#parts.policyOf(actor).mode),
      key: `effect ${effect}`,
      ...(evaluation === null || definedBy !== null ? {} : { handle: evaluation }),
      lines: group.over.signal,
      fleeting: true,
    };
  }

  #requesterOf(
    session: Session,
    group: Group,
    actor: Actor,
    request: EffectRequest,
    record: EffectRecord,
  ): Requester<Outcome> {
    const { rules, project, done } = this.#parts;
    const { definedBy } = record;
    const shown = (path: string): string => displayed(project(), path);
    return {
      ...this.#scopesOf(session, group, actor, request, definedBy),
      checkPath: async (path) => {
        try {
          await project().locate(path);
          return null;
        } catch (error) {
          return messageOf(error);
        }
      },
      draw: async () => effectFacts([...group.effects.values()], shown, definedBy === null ? null : actor.name),
      check: () => null,
      perform: async (_args, approved) => {
        // One card for all that a system does while it is loaded.
        if (isCovered(record)) rules.grant('evaluation', actor.id, request);
        this.#close(groupKeyOf(session, record), group);
        await this.#proceed(session, group, approved);
        return done;
      },
    };
  }

  /** Rules for an agent's own effects; where the person called what it defined, marking that as reviewed. */
  #scopesOf(
    session: Session,
    group: Group,
    actor: Actor,
    request: EffectRequest,
    definedBy: EffectRecord['definedBy'],
  ): Pick<Requester<Outcome>, 'scopes' | 'remember'> {
    const { rules } = this.#parts;
    const review = definedBy === null ? null : reviewOf(session, definedBy);
    if (definedBy !== null) return { scopes: () => review?.scopes ?? [], remember: () => review?.mark() ?? false };
    return {
      // A rule for one target would be for the first of many.
      scopes: () => rules.scopes(actor.id, request).filter(({ id }) => id !== 'target' || group.effects.size === 1),
      remember: (scope) => rules.grant(scope, actor.id, request),
    };
  }

  /** Until the evaluation that loads it is over. */
  #denyLoad(session: Session, effect: EffectRecord, reason: string): void {
    const { evaluation } = effect;
    if (evaluation === null) return;
    const key = loadKeyOf(session, effect);
    this.#deniedLoads.set(key, reason);
    const stop = session.events.on('changed', () => {
      if (session.underway.some((turn) => turn.evaluation === evaluation)) return;
      stop();
      this.#deniedLoads.delete(key);
    });
  }

  async #redraw({ id, effects }: Group, notice: string | null = null): Promise<void> {
    if (id !== null)
      await this.#parts.approvals.redraw(
        id,
        notice ?? `${effects.size.toLocaleString('en-US')} effects wait for this decision now.`,
      );
  }

  /** Nothing joins it any more. */
  #close(key: string, group: Group): void {
    group.closed = true;
    if (this.#groups.get(key) === group) this.#groups.delete(key);
  }

  /** Those that the card showed go on; one that came since then is asked about by itself. */
  async #proceed(session: Session, group: Group, { path, targetState }: Approved): Promise<void> {
    const decision: EffectDecision =
      path === null ? PROCEED : { decision: 'use-path', path: await this.#parts.project().locate(path), reason: null };
    const shown = shownEffects(targetState);
    for (const effect of group.effects.values()) {
      if (!shown.has(effect.effect)) {
        this.#forget(group, effect.effect);
        this.#requested(session, effect);
        continue;
      }
      this.#rules.set(effect.effect, 'you approved it');
      this.#answer(session, effect, decision);
    }
  }

  #denied(session: Session, group: Group, { reason, abort }: Extract<Settlement<Outcome>, { denied: true }>): void {
    for (const effect of group.effects.values()) {
      this.#rules.set(effect.effect, `denied: ${reason}`);
      this.#answer(session, effect, { decision: abort ? 'abort' : 'deny', path: null, reason });
    }
  }

  #refuse(session: Session, effect: EffectRecord, why: string): void {
    this.#rules.set(effect.effect, why);
    this.#answer(session, effect, { decision: 'deny', path: null, reason: capitalized(why) });
  }

  #answer(session: Session, { effect }: EffectRecord, decision: EffectDecision): void {
    session.decideEffect(effect, decision).catch(() => {}); // it was left meanwhile, which `effect-settled` tells
  }

  #settled(session: Session, { effect, outcome }: SettledEffect): void {
    const group = this.#waiting.get(effect.effect);
    if (group) this.#forget(group, effect.effect);
    if (group?.effects.size === 0) {
      this.#close(groupKeyOf(session, effect), group);
      group.over.abort();
      if (group.id !== null) this.#parts.approvals.withdraw(group.id, 'The code stopped waiting.');
    }
    if (outcome === 'changed') this.#rememberChanged(session, effect);
    const rule = this.#rules.get(effect.effect) ?? 'it was left without a decision';
    this.#rules.delete(effect.effect);
    this.#tell(session, effect, outcome, rule);
  }

  #forget(group: Group, effect: string): void {
    group.effects.delete(effect);
    this.#waiting.delete(effect);
  }

  /** Until the same thread asks again, which is next, or its evaluation is over. */
  #rememberChanged(session: Session, effect: EffectRecord): void {
    if (this.#changed.size >= MOST_CHANGED) this.#changed.clear();
    this.#changed.set(threadKeyOf(session, effect), effect);
  }

  #recorded(session: Session, effect: RecordedEffect): void {
    const rule =
      effect.outcome === 'recorded'
        ? 'compiled files and the own temporary folder need no decision'
        : 'nobody can be asked where it happened';
    this.#tell(session, effect, effect.outcome, rule);
  }

  /** Whether agents' code may write there without being asked. */
  #isWritable(path: string): boolean {
    return this.#parts.rules.all.some(
      ({ decision, subject: { effect, folder } }) =>
        decision === 'allow' && effect === 'write' && folder !== undefined && isIn(path, folder),
    );
  }

  #tell(session: Session, effect: EffectRecord | RecordedEffect, outcome: string, rule: string): void {
    const { actor, evaluation, kind, operator, target } = effect;
    const author = 'definedBy' in effect ? effect.definedBy : null;
    const whose =
      author === null ? '' : ` (called by you, defined by ${this.#parts.actorOf(author.actor).name}, not reviewed)`;
    this.#parts.tell({
      actor: this.#parts.actorOf(actor),
      session: session.id,
      evaluation,
      kind,
      operator,
      target,
      outcome,
      rule: `${rule}${whose}`,
    });
  }
}

function policyRequestOf(effect: EffectRecord): EffectRequest {
  const { kind, path, otherPath, evaluation, system, systemFile } = effect;
  return {
    kind: 'effect',
    effect: kind,
    target: ruleTarget(effect),
    paths: [path, otherPath].filter((each) => each !== null),
    evaluation,
    system,
    madeInMemory: system !== null && systemFile === null,
  };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Relative to the project inside it, else as it is. */
function displayed(project: Project, path: string): string {
  return project.root !== null && path.startsWith(`${project.root}/`) ? project.display(path) : path;
}
