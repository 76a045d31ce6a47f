/**
 * What agents' code is about to do outside the image, put before policy, and where that asks, before the person (G1–G6).
 * Effects of one kind that one evaluation waits for share a card, and so do all that a system has while it is loaded.
 */
import type { EffectDecision, EffectRecord, RecordedEffect } from '#contract/effect.ts';
import type { Actor } from '#contract/session.ts';
import { messageOf } from '#core/error.ts';
import type { Project } from '#core/project/project.ts';
import type { SettledEffect } from '#core/sessions/effects.ts';
import type { Session } from '#core/sessions/session.ts';
import { effectFacts } from './effect-card.ts';
import { decide, type ClientPolicy, type EffectRequest, type Verdict } from './policy.ts';
import type { ApprovalQueue } from './queue.ts';
import { reasonOf } from './reason.ts';
import type { ApprovalRequest, Approved, Settlement } from './request.ts';
import type { RuleBook } from './rules.ts';

/** An effect as the record of activity has it. */
export interface ToldEffect {
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

export interface EffectDeskParts<Outcome> {
  readonly approvals: ApprovalQueue<Outcome>;
  readonly rules: RuleBook;
  readonly project: () => Project;
  readonly actorOf: (id: string | null) => Actor;
  readonly policyOf: (actor: Actor) => ClientPolicy;
  readonly tell: (effect: ToldEffect) => void;
  /** An agent took the guard away: nothing of it goes on. */
  readonly alarm: (client: string, why: string) => void;
  /** What an approved request of this kind comes to. */
  readonly done: Outcome;
}

interface Group {
  readonly effects: Map<string, EffectRecord>;
  /** Handle of its card, once it has one. */
  id: string | null;
  /** Fires when none of them waits any more. */
  readonly over: AbortController;
}

/** Facts that are part of what is done. */
const DECISIVE = new Set([
  'program',
  'working directory',
  'environment',
  'input from',
  'output to',
  'errors to',
  'contents',
  'new mode',
  'new owner',
  'link to',
]);
/** How the image ends a text that it cut. */
const CUT = /… \(\d+ more characters\)$/;

const TOO_LONG = 'it is longer than a person can be shown, so nobody can be asked about it';

const PROCEED = { decision: 'proceed', path: null, reason: null } as const;

export class EffectDesk<Outcome> {
  readonly #parts: EffectDeskParts<Outcome>;
  readonly #groups = new Map<string, Group>();
  /** Loads of systems that the person denied to reach outside, with why: the rest of what they try is not asked about. */
  readonly #deniedLoads = new Map<string, string>();
  /** What decided about effects that have not settled yet. */
  readonly #rules = new Map<string, string>();

  constructor(parts: EffectDeskParts<Outcome>) {
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
    return [...this.#groups.values()].some(({ effects }) => effects.has(effect));
  }

  #requested(session: Session, effect: EffectRecord): void {
    const actor = this.#parts.actorOf(effect.actor);
    const request = policyRequestOf(effect);
    const verdict = decide(request, this.#parts.policyOf(actor), this.#parts.rules.all);
    this.#parts.rules.note(actor.id, request, verdict.rule);
    this.#rules.set(effect.effect, verdict.why);
    if (verdict.decision === 'allow') return this.#answer(session, effect, PROCEED);
    if (verdict.decision === 'deny') return this.#refuse(session, effect, verdict.why);
    if (CUT.test(effect.target)) return this.#refuse(session, effect, TOO_LONG);
    this.#ask(session, effect, actor, request, verdict);
  }

  #ask(session: Session, effect: EffectRecord, actor: Actor, request: EffectRequest, verdict: Verdict): void {
    const key = groupKeyOf(session, effect);
    const denied = this.#deniedLoads.get(key);
    if (denied !== undefined) return this.#refuse(session, effect, denied);
    const open = this.#groups.get(key);
    if (open) {
      open.effects.set(effect.effect, effect);
      void this.#redraw(open);
      return;
    }
    const group: Group = { effects: new Map([[effect.effect, effect]]), id: null, over: new AbortController() };
    this.#groups.set(key, group);
    this.#parts.approvals
      .request(this.#requestOf(session, group, actor, request, verdict, effect))
      .then(async ({ id, settled }) => {
        group.id = id;
        if (group.effects.size === 0) this.#parts.approvals.withdraw(id, 'The code stopped waiting.');
        // Others came while it was drawn.
        if (group.effects.size > 1) await this.#redraw(group);
        const settlement = await settled;
        if (this.#groups.get(key) === group) this.#groups.delete(key);
        if (!settlement.denied) return;
        if (effect.system !== null) this.#denyLoad(session, key, effect.evaluation, settlement.reason);
        this.#denied(session, group, settlement);
      })
      .catch((error: unknown) => {
        this.#groups.delete(key);
        this.#denied(session, group, { denied: true, reason: `It could not be asked: ${messageOf(error)}` });
      });
  }

  #requestOf(
    session: Session,
    group: Group,
    actor: Actor,
    request: EffectRequest,
    verdict: Verdict,
    { effect, evaluation, operator }: EffectRecord,
  ): ApprovalRequest<Outcome> {
    const { rules, project, done } = this.#parts;
    return {
      actor,
      call: evaluation ?? effect,
      tool: operator,
      level: 'dangerous',
      arguments: { effect },
      rule: verdict.why,
      reason: reasonOf(verdict, this.#parts.policyOf(actor).mode),
      key: `effect ${effect}`,
      ...(evaluation === null ? {} : { handle: evaluation }),
      lines: group.over.signal,
      fleeting: true,
      scopes: () => rules.scopes(actor.id, request),
      remember: (scope) => rules.grant(scope, actor.id, request),
      checkPath: async (path) => {
        try {
          await project().locate(path);
          return null;
        } catch (error) {
          return messageOf(error);
        }
      },
      draw: async () => effectFacts([...group.effects.values()], (path) => displayed(project(), path)),
      check: () => null,
      perform: async (_args, approved) => {
        // One card for all that a system does while it is loaded.
        if (request.system !== null) rules.grant('evaluation', actor.id, request);
        await this.#proceed(session, group, approved);
        return done;
      },
    };
  }

  /** Until the evaluation that loads it is over. */
  #denyLoad(session: Session, key: string, evaluation: string | null, reason: string): void {
    if (evaluation === null) return;
    this.#deniedLoads.set(key, reason);
    const stop = session.events.on('changed', () => {
      if (session.underway.some((turn) => turn.evaluation === evaluation)) return;
      stop();
      this.#deniedLoads.delete(key);
    });
  }

  async #redraw({ id, effects }: Group): Promise<void> {
    if (id !== null)
      await this.#parts.approvals.redraw(
        id,
        `${effects.size.toLocaleString('en-US')} effects wait for this decision now.`,
      );
  }

  async #proceed(session: Session, group: Group, { path }: Approved): Promise<void> {
    const decision: EffectDecision =
      path === null ? PROCEED : { decision: 'use-path', path: await this.#parts.project().locate(path), reason: null };
    for (const effect of group.effects.values()) {
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
    this.#answer(session, effect, { decision: 'deny', path: null, reason: sentence(why) });
  }

  #answer(session: Session, { effect }: EffectRecord, decision: EffectDecision): void {
    session.decideEffect(effect, decision).catch(() => {}); // it was left meanwhile, which `effect-settled` tells
  }

  #settled(session: Session, { effect, outcome }: SettledEffect): void {
    const key = groupKeyOf(session, effect);
    const group = this.#groups.get(key);
    if (group?.effects.delete(effect.effect) && group.effects.size === 0) {
      this.#groups.delete(key);
      group.over.abort();
      if (group.id !== null) this.#parts.approvals.withdraw(group.id, 'The code stopped waiting.');
    }
    const rule = this.#rules.get(effect.effect) ?? 'it was left without a decision';
    this.#rules.delete(effect.effect);
    this.#tell(session, effect, outcome, rule);
  }

  #recorded(session: Session, effect: RecordedEffect): void {
    const rule =
      effect.outcome === 'recorded'
        ? 'compiled files and the own temporary folder need no decision'
        : 'nobody can be asked where it happened';
    this.#tell(session, effect, effect.outcome, rule);
  }

  #tell(session: Session, effect: EffectRecord | RecordedEffect, outcome: string, rule: string): void {
    const { actor, evaluation, kind, operator, target } = effect;
    this.#parts.tell({
      actor: this.#parts.actorOf(actor),
      session: session.id,
      evaluation,
      kind,
      operator,
      target,
      outcome,
      rule,
    });
  }
}

/** Of a system all that it does; else what is of one kind. Code of no evaluation is asked about by itself. */
function groupKeyOf({ id }: Session, { evaluation, effect, kind, system }: EffectRecord): string {
  return JSON.stringify([id, evaluation ?? effect, system === null ? kind : ['system', system]]);
}

function policyRequestOf(effect: EffectRecord): EffectRequest {
  const { kind, path, otherPath, evaluation, system } = effect;
  const paths = [path, otherPath].filter((each) => each !== null);
  return { kind: 'effect', effect: kind, target: targetOf(effect), paths, evaluation, system };
}

/** With what else makes the effect another one, though it is done to the same: a rule is for the one that the card showed. */
function targetOf({ target, facts, effect }: EffectRecord): string {
  const how = facts.filter(({ name }) => DECISIVE.has(name));
  if (how.length === 0) return target;
  // Two that were cut could differ in what is not seen: each is another target.
  const cut = how.some(({ value }) => CUT.test(value)) ? [effect] : [];
  return `${target} (${[...how.map(({ name, value }) => `${name} ${value}`), ...cut].join(', ')})`;
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Relative to the project inside it, else as it is. */
function displayed(project: Project, path: string): string {
  return project.root !== null && path.startsWith(`${project.root}/`) ? project.display(path) : path;
}
