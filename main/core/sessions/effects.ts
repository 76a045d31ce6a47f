/**
 * Bookkeeping of what agent code of a session does outside its image. Whoever may decide hears `effect-requested` and answers with
 * `decide`; a session without such a person answers by itself. Code can write on the image's side of the wire, so what an
 * image says is taken only where it is of an evaluation that the session started, for its actor, and of each effect once.
 */
import type { FrameSource } from '#contract/image/debugger.ts';
import type { SourceLine } from '#contract/image/source-line.ts';
import type { Effect, EffectDecision } from '#contract/decisions/effect.ts';
import type { EffectOutcome, PastEffect } from '#contract/decisions/past-effect.ts';
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { Session } from '#contract/image/session.ts';
import { detached } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { deniedKey } from './checkpoints/journal.ts';

/** `allow` and `deny` answer at once, `ask` leaves it to whoever listens. */
export type EffectsMode = 'ask' | 'allow' | 'deny';

const NOBODY = 'Effects are denied here: this process was started without a way to ask a person';
const AT_ONCE = {
  allow: { decision: 'proceed', path: null, reason: null },
  deny: { decision: 'deny', path: null, reason: NOBODY },
} as const;

const DENIED: ReadonlySet<EffectOutcome> = new Set(['denied', 'aborted']);

/** Effects of one evaluation that an answer lists when the image itself could not. */
const MOST_PAST = 200;
/** Evaluations whose effects are believed, and effects that are not believed a second time: the latest of each. */
const MOST_KNOWN = 20_000;
/** Effects that wait, in the view of the session. */
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
  /** Evaluation → its actor. Threads and timers that its code made go on after it. */
  readonly #actors = new Map<string, string>();
  readonly #clients = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(mode: EffectsMode) {
    this.#mode = mode;
  }

  /** Effects that wait for a decision, oldest first. */
  get all(): Effect<'waiting'>[] {
    return [...this.#pending.values()].map(({ effect }) => effect);
  }

  /** Effects that wait, as everybody sees them. */
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
   * Lets the thread go on. Single use.
   * @throws WorkbenchError `not-found` when it does not wait any more, `wire` for another path where none can be used.
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

  /** True when the session itself started that evaluation for that actor. Both are null for code of no evaluation. */
  believes(evaluation: string | null, actor: string | null): boolean {
    return evaluation === null ? actor === null : this.#actors.get(connectionOf(evaluation)) === actor;
  }

  /** Clients whose code ran here: one of them made what goes on in threads of no evaluation. */
  get clients(): string[] {
    return [...this.#clients];
  }

  /** Takes in a request. True when somebody else has to decide. One that cannot be the image's own is left alone. */
  requested(image: LispImage | null, effect: Effect<'waiting'>): boolean {
    if (this.#seen.has(effect.effect) || !this.believes(effect.evaluation, effect.actor)) return false;
    this.#seen.add(effect.effect);
    if (this.#seen.size > MOST_KNOWN) this.#seen.delete(firstOf(this.#seen));
    this.#pending.set(effect.effect, { effect, decision: null, since: Date.now() });
    if (this.#mode === 'ask') return true;
    // One that was left meanwhile is told by `effect-settled`.
    this.decide(image, effect.effect, AT_ONCE[this.#mode]).catch(() => {});
    return false;
  }

  /** Settles a request; null when it is unknown. */
  settled(id: string, outcome: EffectOutcome): Effect<'settled'> | null {
    const pending = this.#pending.get(id);
    if (!pending) return null;
    this.#pending.delete(id);
    const settled = { ...pending.effect, state: 'settled', outcome, decision: pending.decision } as const;
    this.#remember(settled);
    return settled;
  }

  /** Takes in what was done or denied without a request. False when it cannot be the image's own. */
  recorded(effect: Effect<'recorded'>): boolean {
    if (!this.believes(effect.evaluation, effect.actor)) return false;
    this.#remember(effect);
    return true;
  }

  /** The image in which they waited is gone. */
  lose(): Effect<'settled'>[] {
    return this.all.flatMap(({ effect }) => this.settled(effect, 'lost') ?? []);
  }

  /** Begins to take effects of this evaluation, and to remember them until `forget`. */
  begin(evaluation: string, actor: string): void {
    this.#actors.set(evaluation, actor);
    if (!isPersonId(actor)) this.#clients.add(actor);
    if (this.#actors.size > MOST_KNOWN) this.#actors.delete(firstOf(this.#actors.keys()));
    this.#past.set(evaluation, { effects: [], effectsMore: 0 });
  }

  /** Names the effects of an evaluation under way that were denied, each once. */
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
  }

  #remember(effect: Effect<'settled' | 'recorded'>): void {
    const past = this.#past.get(effect.evaluation ?? '');
    if (!past) return;
    if (past.effects.length < MOST_PAST) past.effects.push(pastOf(effect));
    else past.effectsMore += 1;
  }
}

/** Evaluations of Emacs belong to that by which it is connected: its id, a slash and their number. */
function connectionOf(evaluation: string): string {
  return /^(.+)\/\d+$/.exec(evaluation)?.[1] ?? evaluation;
}

function firstOf<T>(values: Iterable<T>): T {
  const [first] = values as Iterable<T> & [T];
  return first;
}

/** Returns the place of a frame's code: the running line where it is known, else that of its form; null where neither is. */
export function sourceLineOf(source: FrameSource | null): SourceLine | null {
  const line = source?.running?.line ?? source?.line ?? null;
  return source === null || source.file === null || line === null ? null : { file: source.file, line };
}

/** The innermost of the code's own frames that stands in a file, with the text of the running form there. */
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
  return new WorkbenchError('not-found', 'Nothing waits for this decision any longer.');
}
