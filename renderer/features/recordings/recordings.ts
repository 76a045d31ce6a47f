/** Recorded evaluations in words, and the way from one to the next. Pure. */
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import { plural } from '#contract/text/text.ts';

/** A form that is recorded, as the page knows it. */
export interface MarkedForm {
  readonly form: string;
  /** The text of the form as it was compiled. */
  readonly code: string;
  /** The name of the definition around it, in words for the person. */
  readonly definition: string;
  /** The path of its file, or the title of a text that has none. */
  readonly file: string;
  readonly count: number;
  readonly latest: RecordedEvaluation | null;
  /** True where the text of the form is not what was compiled. */
  readonly stale: boolean;
}

const LONGEST = 100;
/** Characters of a form by which it is called. */
const CALLED = 48;

/** An evaluation in one line: its values, or how it was left. */
export function outcomeOf({ kind, values, more }: Pick<RecordedEvaluation, 'kind' | 'values' | 'more'>): string {
  if (kind === 'exit') return 'left without a value';
  if (kind === 'condition') return shorten(`left by ${values.join('')}`, LONGEST);
  if (values.length === 0) return 'no values';
  return shorten(`${values.join(', ')}${more > 0 ? ', …' : ''}`, LONGEST);
}

/** A form on one line, short enough to be a name. */
export function calledForm(code: string): string {
  return shorten(code, CALLED);
}

/**
 * The evaluation after the one of that order (1) or before it (-1); at an end that one stays. Where none is chosen, going on begins with
 * the oldest and going back with the latest. `evaluations` are in the order in which they came.
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

/** The evaluation that stands beside a form: the chosen one where it is of this form, else the latest. */
export function shownBeside(
  { form, latest }: MarkedForm,
  evaluations: readonly RecordedEvaluation[],
  chosen: number | null,
): { readonly evaluation: RecordedEvaluation; readonly isChosen: boolean } | null {
  const found = chosen === null ? undefined : evaluations.find((each) => each.order === chosen && each.form === form);
  const evaluation = found ?? latest;
  return evaluation ? { evaluation, isChosen: found !== undefined } : null;
}

/** The names of the definitions of some forms, each once: `AREA`, `AREA and TOTAL`. */
export function definitionsOf(forms: readonly Pick<MarkedForm, 'definition'>[]): string {
  const names = [...new Set(forms.map(({ definition }) => definition))];
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The known forms with those that were marked now, which may be known: what was recorded of these stays. */
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

/** The reason why marks have ended: their definitions were made anew without them, or the image is another one. */
export type Ending = 'defined-anew' | 'other-image';

/** A sentence about forms whose marks have ended. */
export function endedWords(gone: readonly MarkedForm[], ending: Ending): string {
  const what = gone.length === 1 ? calledForm(gone[0]!.code) : plural(gone.length, 'form');
  const names = definitionsOf(gone);
  const several = new Set(gone.map(({ definition }) => definition)).size > 1;
  const why = ending === 'other-image' ? 'the image is another one' : `${names} ${several ? 'were' : 'was'} redefined`;
  return `Values of ${what} in ${names} are no longer recorded: ${why}.`;
}

function shorten(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
