/**
 * What agent code of a session does outside its image. Whoever may decide hears `effect-requested` and answers with
 * `decide`; a session without such a person answers by itself.
 */
import type { FrameSource, SourceLine } from '#contract/debugger.ts';
import type { EffectDecision, EffectRecord, RecordedEffect } from '#contract/effect.ts';
import type { EffectOutcome, PastEffect } from '#contract/past-effect.ts';
import type { AskedEffect } from '#contract/session.ts';
import { WorkbenchError } from '#core/error.ts';
import type { LispImage } from '#core/lisp/image.ts';

/** `allow` and `deny` answer at once, `ask` leaves it to whoever listens. */
export type EffectsMode = 'ask' | 'allow' | 'deny';

/** The end of a request. `decision` is what was answered; null when it was left without an answer. */
export interface SettledEffect {
  readonly effect: EffectRecord;
  readonly outcome: EffectOutcome;
  readonly decision: EffectDecision | null;
}

const NOBODY = 'Effects are denied here: this run was started without a person who could be asked';
const AT_ONCE = {
  allow: { decision: 'proceed', path: null, reason: null },
  deny: { decision: 'deny', path: null, reason: NOBODY },
} as const;

/** Effects of one evaluation that an answer lists when the image itself could not. */
const MOST_PAST = 200;
/** Effects that wait, in the view of the session. */
const MOST_SHOWN = 50;
const LONGEST_LINE = 400;

interface Parked {
  readonly record: EffectRecord;
  decision: EffectDecision | null;
  readonly since: number;
}

export class Effects {
  readonly #mode: EffectsMode;
  readonly #parked = new Map<string, Parked>();
  readonly #past = new Map<string, { effects: PastEffect[]; effectsMore: number }>();

  constructor(mode: EffectsMode) {
    this.#mode = mode;
  }

  /** Those that wait for a decision, oldest first. */
  get all(): EffectRecord[] {
    return [...this.#parked.values()].map(({ record }) => record);
  }

  /** Those that wait, as everybody sees them. */
  view(): AskedEffect[] {
    return [...this.#parked.values()].slice(0, MOST_SHOWN).map(({ record, since }) => ({
      effect: record.effect,
      evaluation: record.evaluation,
      operator: record.operator,
      since,
      place: placeOf(record),
    }));
  }

  /** Whether the evaluation's own thread waits for a decision. */
  waits(evaluation: string): boolean {
    return this.all.some((each) => each.ownThread && each.evaluation === evaluation);
  }

  /**
   * Lets the thread go on. Single use.
   * @throws WorkbenchError `not-found` when it does not wait any more, `wire` for another path where none can be used.
   */
  async decide(image: LispImage | null, effect: string, decision: EffectDecision): Promise<void> {
    const parked = this.#parked.get(effect);
    if (!image || !parked || parked.decision) throw gone();
    parked.decision = decision;
    try {
      const { found } = await image.request('decide-effect', { effect, ...decision });
      if (!found) throw gone();
    } catch (error) {
      parked.decision = null;
      throw error;
    }
  }

  /** Takes in a request. True when somebody else has to decide. */
  requested(image: LispImage | null, record: EffectRecord): boolean {
    this.#parked.set(record.effect, { record, decision: null, since: Date.now() });
    if (this.#mode === 'ask') return true;
    // One that was left meanwhile is told by `effect-settled`.
    this.decide(image, record.effect, AT_ONCE[this.#mode]).catch(() => {});
    return false;
  }

  /** What came of a request; null when it is unknown. */
  settled(effect: string, outcome: EffectOutcome): SettledEffect | null {
    const parked = this.#parked.get(effect);
    if (!parked) return null;
    this.#parked.delete(effect);
    const { record, decision } = parked;
    this.#remember(record, outcome);
    return { effect: record, outcome, decision };
  }

  /** What was done or denied without a request. */
  recorded(effect: RecordedEffect): void {
    this.#remember(effect, effect.outcome);
  }

  /** The image in which they waited is gone. */
  lose(): SettledEffect[] {
    return this.all.flatMap(({ effect }) => this.settled(effect, 'lost') ?? []);
  }

  /** From now on what this evaluation does is remembered, until `forget`. */
  begin(evaluation: string): void {
    this.#past.set(evaluation, { effects: [], effectsMore: 0 });
  }

  /** For the answer to an evaluation that was lost with its image. */
  past(evaluation: string): { effects: PastEffect[]; effectsMore: number } {
    const waiting = this.all.filter((each) => each.evaluation === evaluation);
    const { effects, effectsMore } = this.#past.get(evaluation) ?? { effects: [], effectsMore: 0 };
    return { effects: [...effects, ...waiting.map((each) => pastOf(each, 'lost'))], effectsMore };
  }

  forget(evaluation: string): void {
    this.#past.delete(evaluation);
  }

  #remember(effect: EffectRecord | RecordedEffect, outcome: EffectOutcome): void {
    const past = this.#past.get(effect.evaluation ?? '');
    if (!past) return;
    if (past.effects.length < MOST_PAST) past.effects.push(pastOf(effect, outcome));
    else past.effectsMore += 1;
  }
}

/** Where a frame's code is: the running line where it is known, else that of its form; null where neither is. */
export function sourceLineOf(source: FrameSource | null): SourceLine | null {
  const line = source?.running?.line ?? source?.line ?? null;
  return source === null || source.file === null || line === null ? null : { file: source.file, line };
}

/** The innermost of the code's own frames that stands in a file, with the text of the running form there. */
function placeOf({ frames }: EffectRecord): AskedEffect['place'] {
  for (const { source } of frames) {
    const at = sourceLineOf(source);
    if (at && source?.running) {
      const { text, start, end } = source.running;
      return { ...at, text: text.slice(start, end).split('\n', 1)[0]!.slice(0, LONGEST_LINE) };
    }
  }
  return null;
}

function pastOf({ kind, operator, target }: EffectRecord | RecordedEffect, outcome: EffectOutcome): PastEffect {
  return { kind, operator, target, outcome };
}

function gone(): WorkbenchError {
  return new WorkbenchError('not-found', 'Nothing waits for this decision any more.');
}
