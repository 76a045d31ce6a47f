/** The values that a restart takes: the fields in which a person gives their forms, and the forms that the image gets. */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { scanOnly } from '#contract/sexp/reader.ts';

type Restart = Pick<DebuggerRecord['restarts'][number], 'parameters'>;

/** A field for one value, or for any number of them. */
export interface RestartField {
  readonly name: string;
  readonly several: boolean;
}

/**
 * The fields for the values of a restart; null for one that takes nothing. SBCL has names of its own for some. A RESTART-CASE clause with
 * several parameters, or with optional ones, is told as `&REST` alone.
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
 * The forms of what stands in the fields, one for each value. Fields that are empty at the end are left out: most values may be. Null where
 * one is missing between others, or all are, though one is needed.
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

/** The forms of a text, as they are written. What is no whole form is left to the image, which says so. */
function formsIn(text: string): string[] {
  const { forms, missing, stray } = scanOnly(text);
  if (missing !== null || stray !== null) return [text];
  return forms.map(({ start, end }) => text.slice(start, end));
}
