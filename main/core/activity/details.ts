/**
 * The details that the activity's rows leave out: the arguments, code and answers of calls and evaluations. Only recent details are stored.
 */
import type { ActivityDetail } from '#contract/decisions/activity.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { detached } from '#contract/text/text.ts';
import type { Emitter } from '#core/base/emitter.ts';
import type { CallEvents } from '#core/tools/executor/caller.ts';
import { maskSecrets } from './audit/line.ts';

/** The maximum number of stored characters of one text; the rest is only counted. */
const TEXT_LIMIT = 100_000;
/** The maximum number of stored characters in total; the oldest details are dropped first. */
const LIMIT = 8_000_000;
/** The number of characters that is added to the size of each detail, because its objects take about a kilobyte. */
const OWN_SIZE = 1000;

export class ActivityDetails {
  readonly #limit: number;
  readonly #kept = new Map<string, ActivityDetail>();
  #characters = 0;

  constructor(calls: Emitter<CallEvents>, limit = LIMIT) {
    this.#limit = limit;
    calls.on('started', ({ id, args }) => {
      const code = args['code'] ?? args['form'];
      const pkg = args['package'];
      this.#keep({
        ...blank(id),
        arguments: Object.entries(args).map(([name, value]) => ({ name, value: bounded(textOf(value)) })),
        code: typeof code === 'string' ? whole(code) : null,
        package: typeof pkg === 'string' ? pkg : null,
      });
    });
    calls.on('ended', ({ id, result, outcome }) => {
      const known = this.#kept.get(id) ?? blank(id);
      const report = outcome?.evaluation?.report;
      const pkg = known.package ?? report?.package ?? null;
      this.#keep({ ...known, ...valuesOf(report), package: pkg, result: bounded(result.content) });
    });
  }

  /** Records the start of an evaluation of the person. */
  began(evaluation: string, code: string, pkg: string | null): void {
    this.#keep({ ...blank(evaluation), code: whole(code), package: pkg });
  }

  ended(report: EvaluationReport): void {
    const known = this.#kept.get(report.evaluation);
    if (known) this.#keep({ ...known, ...valuesOf(report) });
  }

  /** Returns the stored details with these `ids`, in the order of `ids`. */
  of(ids: readonly string[]): ActivityDetail[] {
    return ids.flatMap((id) => this.#kept.get(id) ?? []);
  }

  #keep(detail: ActivityDetail): void {
    const before = this.#kept.get(detail.id);
    if (before) this.#characters -= sizeOf(before);
    this.#kept.delete(detail.id);
    this.#kept.set(detail.id, detail);
    this.#characters += sizeOf(detail);
    for (const [id, oldest] of this.#kept) {
      if (this.#characters <= this.#limit || id === detail.id) return;
      this.#kept.delete(id);
      this.#characters -= sizeOf(oldest);
    }
  }
}

function blank(id: string): ActivityDetail {
  return { id, arguments: [], code: null, package: null, values: null, result: null };
}

function valuesOf(report: EvaluationReport | undefined): Pick<ActivityDetail, 'values'> {
  if (report?.status !== 'ok') return { values: null };
  return { values: report.values.map(({ text, cut }) => ({ text, cut })) };
}

function textOf(value: unknown): string {
  const masked = maskSecrets(value);
  return typeof masked === 'string' ? masked : JSON.stringify(masked);
}

/** Returns the code if it is short enough; null if not. Truncated code is not stored, because it cannot be run again. */
function whole(code: string): string | null {
  return code.length > TEXT_LIMIT ? null : code;
}

function bounded(text: string): string {
  const over = text.length - TEXT_LIMIT;
  return over > 0 ? `${detached(text.slice(0, TEXT_LIMIT))}\n… ${over.toLocaleString('en')} characters more` : text;
}

function sizeOf({ arguments: args, code, values, result }: ActivityDetail): number {
  const texts = [...args.map(({ value }) => value), code, result, ...(values ?? []).map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), OWN_SIZE);
}
