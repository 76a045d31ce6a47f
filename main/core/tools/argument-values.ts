/**
 * Arguments as models write them: what is left out comes as null or as an empty text, numbers and lists come as the text of
 * their JSON, and a word of a choice in another case or number. Each is taken for what the tool's schema asks for, and only
 * where the schema does not take it as it is.
 */
import type { z } from 'zod';

/** `given` with each value as the schema of that parameter in `shape` takes it; what fits in no way stays as it is. */
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

/** A value that no tool has as a choice: a parameter that takes it takes any text. */
const NO_CHOICE = '\u0000';

function readings(text: string, takesAnyText: boolean): unknown[] {
  const word = text.trim().toLowerCase();
  return [...jsonOf(text), ...(takesAnyText ? [] : [word, `${word}s`, `${word}es`])];
}

/** The one value that the text is the JSON of; none where it is no JSON, or the JSON of a text or of nothing. */
function jsonOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || typeof value === 'string' ? [] : [value];
  } catch {
    return /^(?:True|False)$/.test(text) ? [text === 'True'] : [];
  }
}

/** Parameters that hold code. What is written to files is not among them: a text of Markdown begins with a fence. */
const CODE = new Set(['code', 'form', 'expression', 'text']);

/** Lisp as models write it: a package as it is designated in code, and code in the fence of Markdown. */
export function readLisp(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'string') return [name, value];
      return [name, name === 'package' ? packageNamed(value) : CODE.has(name) ? unfenced(value) : value];
    }),
  );
}

/** `:shop`, `#:shop`, `'shop` and `"SHOP"` as the name that they designate. */
function packageNamed(text: string): string {
  const name = text.trim();
  const [, quoted] = /^"([^"]+)"$/.exec(name) ?? [];
  return quoted ?? (/^(?:#?:|')[^\s:]+$/.test(name) ? name.replace(/^(?:#?:|')/, '') : text);
}

function unfenced(text: string): string {
  const [, code] = /^\s*```[^\n`]*\n([\s\S]*?)\n?\s*```\s*$/.exec(text) ?? [];
  return code === undefined || code.includes('```') ? text : code;
}

/** True when `readValues` and `readLisp` would surely leave these arguments as they are, where the schema takes them. */
export function isPlain(given: unknown): boolean {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return false;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === '') return false;
    if (typeof value === 'string' && (name === 'package' || (CODE.has(name) && value.includes('```')))) return false;
  }
  return true;
}
