/** Texts about recorded evaluations, and steps from one evaluation to the next. Pure. */
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import { plural } from '#contract/text/text.ts';

/** A form whose values are recorded, with the page's data about it. */
export interface MarkedForm {
  readonly form: string;
  /** The text of the form when it was compiled. */
  readonly code: string;
  /** The name of the definition around the form, as shown to the person. */
  readonly definition: string;
  /** The path of its file, or the title of a text without a file. */
  readonly file: string;
  readonly count: number;
  readonly latest: RecordedEvaluation | null;
  /** True if the text of the form differs from the compiled text. */
  readonly stale: boolean;
}

const LONGEST = 100;
/** The maximum number of characters of a form in its short name. */
const CALLED = 48;

/** Summarizes an evaluation on one line: its values, or how it ended without returning values. */
export function outcomeOf({ kind, values, more }: Pick<RecordedEvaluation, 'kind' | 'values' | 'more'>): string {
  if (kind === 'exit') return 'exited without a value';
  if (kind === 'condition') return shorten(`exited by ${values.join('')}`, LONGEST);
  if (values.length === 0) return 'no values';
  return shorten(`${values.join(', ')}${more > 0 ? ', …' : ''}`, LONGEST);
}

/** Returns a form on one line, short enough for a name. */
export function calledForm(code: string): string {
  return shorten(code, CALLED);
}

/**
 * Returns the evaluation after (1) or before (-1) the evaluation with the number `chosen`; if there is none, returns the chosen evaluation.
 * If none is chosen, stepping forward starts at the oldest and stepping backward at the latest. `evaluations` are in the order of arrival.
 */
export function stepFrom(
  evaluations: readonly RecordedEvaluation[],
  chosen: number | null,
  direction: 1 | -1,
): RecordedEvaluation | null {
  if (chosen === null) return (direction === 1 ? evaluations[0] : evaluations.at(-1)) ?? null;
  const next =
    direction === 1
      ? evaluations.find(({ order }) => order > chosen)
      : evaluations.findLast(({ order }) => order < chosen);
  return next ?? evaluations.find(({ order }) => order === chosen) ?? null;
}

/** Returns the evaluation to show beside a form: the chosen evaluation if it belongs to this form, otherwise the latest. */
export function shownBeside(
  { form, latest }: MarkedForm,
  evaluations: readonly RecordedEvaluation[],
  chosen: number | null,
): { readonly evaluation: RecordedEvaluation; readonly isChosen: boolean } | null {
  const found = chosen === null ? undefined : evaluations.find((each) => each.order === chosen && each.form === form);
  const evaluation = found ?? latest;
  return evaluation ? { evaluation, isChosen: found !== undefined } : null;
}

/** Returns the names of the definitions of some forms, each once: `AREA`, `AREA and TOTAL`. */
export function definitionsOf(forms: readonly Pick<MarkedForm, 'definition'>[]): string {
  const names = [...new Set(forms.map(({ definition }) => definition))];
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns the known forms and the newly marked ones. A form that was known keeps its recordings. */
export function withForms(
  known: readonly MarkedForm[],
  added: readonly Omit<MarkedForm, 'count' | 'latest' | 'stale'>[],
): MarkedForm[] {
  const fresh = added.filter(({ form }) => !known.some((each) => each.form === form));
  return [
    ...known.map((each) => {
      const again = added.find(({ form }) => form === each.form);
      return again ? { ...each, ...again, stale: false } : each;
    }),
    ...fresh.map((each) => ({ ...each, count: 0, latest: null, stale: false })),
  ];
}

/** The reason why marks no longer exist: their definitions were redefined without the marks, or another image is running. */
export type Ending = 'defined-anew' | 'other-image';

/** Returns a sentence about forms whose marks no longer exist. */
export function endedWords(gone: readonly MarkedForm[], ending: Ending): string {
  const what = gone.length === 1 ? calledForm(gone[0]!.code) : plural(gone.length, 'form');
  const names = definitionsOf(gone);
  const several = new Set(gone.map(({ definition }) => definition)).size > 1;
  const why = ending === 'other-image' ? 'the image was replaced' : `${names} ${several ? 'were' : 'was'} redefined`;
  return `Values of ${what} in ${names} are no longer recorded: ${why}.`;
}

function shorten(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
