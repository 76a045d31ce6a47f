/** The message about an export: the number of exported forms, and the definitions whose source text is unknown. */
import { plural } from '#contract/text/text.ts';
import { shownName } from './definition-rows.ts';
import { fileName } from '../../base/text/paths.ts';

const NAMED = 5;

export function exportedWords(forms: number, missing: readonly string[], path: string | null): string {
  const names = missing.slice(0, NAMED).map(shownName).join(', ');
  const rest = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const without = missing.length === 0 ? '' : ` The source text of ${names}${rest} is unknown.`;
  if (path === null) return `There is nothing to export, because nothing was evaluated here.${without}`;
  const file = fileName(path);
  return `${plural(forms, 'form is', 'forms are')} in ${file}.${without}`;
}
