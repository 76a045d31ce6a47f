/**
 * Converts arguments that models often write in another form: null or an empty text for an omitted value, the JSON text of a number or
 * list, a choice in another case or in the singular. Each is converted to the type in the tool's schema, but only if the schema does not
 * accept the original form.
 */
import type { z } from 'zod';

/** Returns `given` with each value converted for the parameter's schema in `shape`. A value that cannot be converted is unchanged. */
export function readValues(shape: Readonly<Record<string, z.ZodType>>, given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!schema) return [[name, value]];
      const fits = (each: unknown): boolean => schema.safeParse(each).success;
      if (value !== '' && fits(value)) return [[name, value]];
      if ((value === null || value === '') && fits(undefined)) return [];
      const meant = typeof value === 'string' && value !== '' ? readings(value, fits(NO_CHOICE)).find(fits) : undefined;
      return [[name, meant ?? value]];
    }),
  );
}

/** A value that no tool offers as a choice: a parameter that accepts it accepts any text. */
const NO_CHOICE = '\u0000';

function readings(text: string, takesAnyText: boolean): unknown[] {
  const word = text.trim().toLowerCase();
  return [...jsonOf(text), ...(takesAnyText ? [] : [word, `${word}s`, `${word}es`])];
}

/**
 * Parses a JSON text, and returns its value as the only element of a list. The list is empty if the text is not JSON, or if the value is a
 * string or null.
 */
function jsonOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || typeof value === 'string' ? [] : [value];
  } catch {
    return /^(?:True|False)$/.test(text) ? [text === 'True'] : [];
  }
}

/** Parameters that contain code. The content of a file is not included, because a Markdown text may begin with a fence. */
const CODE = new Set(['code', 'form', 'expression', 'text']);

/** Converts Lisp that models often write in another form: a package as a designator in code, and code in a Markdown fence. */
export function readLisp(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'string') return [name, value];
      return [name, name === 'package' ? packageNamed(value) : CODE.has(name) ? unfenced(value) : value];
    }),
  );
}

/** Returns the name that `:shop`, `#:shop`, `'shop` or `"SHOP"` designates. */
function packageNamed(text: string): string {
  const name = text.trim();
  const [, quoted] = /^"([^"]+)"$/.exec(name) ?? [];
  return quoted ?? (/^(?:#?:|')[^\s:]+$/.test(name) ? name.replace(/^(?:#?:|')/, '') : text);
}

function unfenced(text: string): string {
  const [, code] = /^\s*```[^\n`]*\n([\s\S]*?)\n?\s*```\s*$/.exec(text) ?? [];
  return code === undefined || code.includes('```') ? text : code;
}

/** Returns true if `readValues` and `readLisp` certainly leave these arguments unchanged, provided that the schema accepts them. */
export function isPlain(given: unknown): boolean {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return false;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === '') return false;
    if (typeof value === 'string' && (name === 'package' || (CODE.has(name) && value.includes('```')))) return false;
  }
  return true;
}
