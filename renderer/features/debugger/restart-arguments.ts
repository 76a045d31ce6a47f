/** The values that a restart takes: the fields for their forms, and the forms that are sent to the image. */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { scanOnly } from '#contract/sexp/reader.ts';

type Restart = Pick<DebuggerRecord['restarts'][number], 'parameters'>;

/** A field for one value, or for any number of values. */
export interface RestartField {
  readonly name: string;
  readonly several: boolean;
}

/**
 * Returns the fields for the values of a restart; null if it takes none. SBCL's internal parameter names become generic names. For a
 * RESTART-CASE clause with several or optional parameters, the image reports only `&REST`.
 */
export function restartFields({ parameters }: Restart): RestartField[] | null {
  const fields: RestartField[] = [];
  let several = false;
  for (const each of parameters) {
    if (each.startsWith('&')) {
      several = each === '&REST' || each === '&MORE';
      continue;
    }
    const own = !each.includes('::') && each !== '';
    fields.push({ name: own ? each.toLowerCase() : several ? 'values' : 'value', several });
    several = false;
  }
  return fields.length > 0 ? fields : null;
}

/**
 * Returns the forms in the fields, one for each value. Empty fields at the end are left out, because most values are optional. Returns null
 * if a field before the last filled one is empty, or if all are empty although a value is required.
 */
export function restartForms(fields: readonly RestartField[], texts: readonly string[]): string[] | null {
  const filled = texts.findLastIndex((text) => text.trim() !== '') + 1;
  const forms: string[] = [];
  for (const [at, { several }] of fields.slice(0, filled).entries()) {
    const text = texts[at]!.trim();
    if (text === '') return null;
    forms.push(...(several ? formsIn(text) : [text]));
  }
  return filled > 0 || fields.every(({ several }) => several) ? forms : null;
}

/** Returns the forms in a text as written. Incomplete text is passed on unchanged, so that the image reports the error. */
function formsIn(text: string): string[] {
  const { forms, missing, stray } = scanOnly(text);
  if (missing !== null || stray !== null) return [text];
  return forms.map(({ start, end }) => text.slice(start, end));
}
