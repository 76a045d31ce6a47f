/**
 * Records the effects of agents' code outside the image of a session. A listener that can decide receives `effect-requested` and answers
 * with `decide`; a session without one answers automatically. Code can forge messages on the image's side of the wire. So an effect is
 * accepted only once, and only for an evaluation that the session started, with the same actor.
 */
import type { FrameSource } from '#contract/image/debugger.ts';
import type { SourceLine } from '#contract/image/source-line.ts';
import type { Effect, EffectDecision } from '#contract/decisions/effect.ts';
import type { EffectOutcome, PastEffect } from '#contract/decisions/past-effect.ts';
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { WantedRelease } from '#contract/image/library-tool.ts';
import type { Session } from '#contract/image/session.ts';
import { detached } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { deniedKey } from './checkpoints/journal.ts';

/** `allow` and `deny` answer immediately, `ask` leaves the decision to a listener. */
export type EffectsMode = 'ask' | 'allow' | 'deny';

const NOBODY = 'Effects are denied here, because this process was started without a way to request approval';
const AT_ONCE = {
  allow: { decision: 'proceed', path: null, reason: null },
  deny: { decision: 'deny', path: null, reason: NOBODY },
} as const;

const DENIED: ReadonlySet<EffectOutcome> = new Set(['denied', 'aborted']);

/** The maximum number of effects in the answer for an evaluation that was lost with its image. */
const MOST_PAST = 200;
/**
 * The maximum number of remembered evaluations whose effects are accepted. Also the maximum number of remembered effects, which are not
 * accepted a second time. Only the latest are remembered.
 */
const MOST_KNOWN = 20_000;
/** The maximum number of waiting effects in the session's view. */
const MOST_SHOWN = 50;
const LONGEST_LINE = 400;

interface Pending {
  readonly effect: Effect<'waiting'>;
  decision: EffectDecision | null;
  readonly since: number;
}

export class Effects {
  readonly #mode: EffectsMode;
  readonly #pending = new Map<string, Pending>();
  readonly #past = new Map<string, { effects: PastEffect[]; effectsMore: number }>();
  /** The actor of each evaluation. An evaluation's threads and timers may continue after it. */
  readonly #actors = new Map<string, string>();
  readonly #clients = new Set<string>();
  /** The facts of approved installations of libraries, by the running evaluation. Each release, and each change of a dist, is one fact. */
  readonly #installable = new Map<string, readonly string[]>();
  readonly #seen = new Set<string>();

  constructor(mode: EffectsMode) {
    this.#mode = mode;
  }

  /** Effects that wait for a decision, oldest first. */
  get all(): Effect<'waiting'>[] {
    return [...this.#pending.values()].map(({ effect }) => effect);
  }

  /** Returns the waiting effects for the session's public view. */
  view(): Session['effects'] {
    return [...this.#pending.values()].slice(0, MOST_SHOWN).map(({ effect, since }) => ({
      effect: effect.effect,
      evaluation: effect.evaluation,
      operator: effect.operator,
      since,
      place: placeOf(effect),
    }));
  }

  /**
   * Lets the thread continue. Each effect can be decided only once.
   * @throws WorkbenchError `not-found` if the effect is not waiting any more, `wire` if the decision has another path but the effect does
   * not allow one.
   */
  async decide(image: LispImage | null, effect: string, decision: EffectDecision): Promise<void> {
    const pending = this.#pending.get(effect);
    if (!image || !pending || pending.decision) throw gone();
    pending.decision = decision;
    try {
      const { found } = await image.request('decide-effect', { effect, ...decision });
      if (!found) throw gone();
    } catch (error) {
      pending.decision = null;
      throw error;
    }
  }

  /** Returns true if the session itself started this evaluation for this actor. Both are null for code outside an evaluation. */
  believes(evaluation: string | null, actor: string | null): boolean {
    return evaluation === null ? actor === null : this.#actors.get(connectionOf(evaluation)) === actor;
  }

  /** Clients whose code ran here. Code in threads outside an evaluation comes from one of them. */
  get clients(): string[] {
    return [...this.#clients];
  }

  /** Records a request. Returns true if a listener has to decide. Ignores a request that the image cannot have made. */
  requested(image: LispImage | null, effect: Effect<'waiting'>): boolean {
    if (this.#seen.has(effect.effect) || !this.believes(effect.evaluation, effect.actor)) return false;
    this.#seen.add(effect.effect);
    if (this.#seen.size > MOST_KNOWN) this.#seen.delete(firstOf(this.#seen));
    this.#pending.set(effect.effect, { effect, decision: null, since: Date.now() });
    if (this.#mode === 'ask') return true;
    // If the wait ended in the meantime, `effect-settled` reports that.
    this.decide(image, effect.effect, AT_ONCE[this.#mode]).catch(() => {});
    return false;
  }

  /** Settles a request and returns it; null if the request is unknown. */
  settled(id: string, outcome: EffectOutcome): Effect<'settled'> | null {
    const pending = this.#pending.get(id);
    if (!pending) return null;
    this.#pending.delete(id);
    const settled = { ...pending.effect, state: 'settled', outcome, decision: pending.decision } as const;
    if (settled.kind === 'install-libraries' && outcome === 'proceeded') this.#allowLibraries(settled);
    this.#remember(settled);
    return settled;
  }

  /** Records an effect that happened or was denied without a request. Returns false if the image cannot have made it. */
  recorded(effect: Effect<'recorded'>): boolean {
    if (!this.believes(effect.evaluation, effect.actor)) return false;
    this.#remember(effect);
    return true;
  }

  /** Settles all waiting effects as lost, because their image has ended. */
  lose(): Effect<'settled'>[] {
    return this.all.flatMap(({ effect }) => this.settled(effect, 'lost') ?? []);
  }

  /** Starts to accept effects of this evaluation, and to remember them until `forget`. */
  begin(evaluation: string, actor: string): void {
    this.#actors.set(evaluation, actor);
    if (!isPersonId(actor)) this.#clients.add(actor);
    if (this.#actors.size > MOST_KNOWN) this.#actors.delete(firstOf(this.#actors.keys()));
    this.#past.set(evaluation, { effects: [], effectsMore: 0 });
  }

  /** Returns a key for each denied effect of a running evaluation, without duplicates. */
  denied(evaluation: string | null): string[] {
    const { effects } = this.#past.get(evaluation ?? '') ?? { effects: [] };
    return [...new Set(effects.filter(({ outcome }) => DENIED.has(outcome)).map(deniedKey))];
  }

  /** Returns the effects of an evaluation that was lost with its image, for its answer. */
  past(evaluation: string): { effects: PastEffect[]; effectsMore: number } {
    const waiting = this.all.filter((each) => each.evaluation === evaluation);
    const { effects, effectsMore } = this.#past.get(evaluation) ?? { effects: [], effectsMore: 0 };
    return { effects: [...effects, ...waiting.map((each) => pastOf({ ...each, outcome: 'lost' }))], effectsMore };
  }

  forget(evaluation: string): void {
    this.#past.delete(evaluation);
    this.#installable.delete(evaluation);
  }

  /** Returns true if the person has approved the installation of all these releases for the evaluation. */
  mayInstall(evaluation: string | null, releases: readonly Pick<WantedRelease, 'prefix' | 'md5'>[]): boolean {
    const facts = this.#installable.get(evaluation ?? '') ?? [];
    return releases.every(({ prefix, md5 }) =>
      facts.some((fact) => fact.startsWith(`${prefix}, `) && fact.endsWith(` MD5 ${md5}`)),
    );
  }

  /** Returns true if the person has approved this change of the dists for the evaluation. */
  mayChangeDist(evaluation: string | null, change: string, to: string): boolean {
    return (this.#installable.get(evaluation ?? '') ?? []).includes(`${change} ${to}`);
  }

  #allowLibraries({ evaluation, facts }: Effect<'settled'>): void {
    if (evaluation === null) return;
    const allowed = this.#installable.get(evaluation) ?? [];
    this.#installable.set(evaluation, [...allowed, ...facts.map(({ value }) => value)]);
  }

  #remember(effect: Effect<'settled' | 'recorded'>): void {
    const past = this.#past.get(effect.evaluation ?? '');
    if (!past) return;
    if (past.effects.length < MOST_PAST) past.effects.push(pastOf(effect));
    else past.effectsMore += 1;
  }
}

/**
 * Returns the id of the evaluation that connects Emacs, for the id of an evaluation from Emacs. The id from Emacs consists of the
 * connection's id, a slash and a number.
 */
function connectionOf(evaluation: string): string {
  return /^(.+)\/\d+$/.exec(evaluation)?.[1] ?? evaluation;
}

function firstOf<T>(values: Iterable<T>): T {
  const [first] = values as Iterable<T> & [T];
  return first;
}

/** Returns the source location of a frame: the running line if known, otherwise the line of its form; null if neither is known. */
export function sourceLineOf(source: FrameSource | null): SourceLine | null {
  const line = source?.running?.line ?? source?.line ?? null;
  return source === null || source.file === null || line === null ? null : { file: source.file, line };
}

/** Returns the source location of the innermost frame of the code itself that has a file, with the text of the running form there. */
function placeOf({ frames }: Effect<'waiting'>): Session['effects'][number]['place'] {
  for (const { source } of frames) {
    const at = sourceLineOf(source);
    if (at && source?.running) {
      const { text, start, end } = source.running;
      return { ...at, text: detached(text.slice(start, end).split('\n', 1)[0]!.slice(0, LONGEST_LINE)) };
    }
  }
  return null;
}

function pastOf({ kind, operator, target, outcome }: PastEffect): PastEffect {
  return { kind, operator, target, outcome };
}

function gone(): WorkbenchError {
  return new WorkbenchError('not-found', 'No code is waiting for this decision any longer.');
}
