/** The facts in the text of a system definition file about its systems. The file is read, and none of its code runs. Pure. */
import { readText, type Form } from '#contract/sexp/reader.ts';

/** The facts about a system; null where the definition states none. */
export interface SystemFacts {
  readonly description: string | null;
  readonly licence: string | null;
}

/** The maximum length of a description, in characters. Longer ones are cut. */
const MOST_CHARACTERS = 300;

/** Returns the facts about each system that the text defines at its top level, by the system's name in lower case. */
export function factsIn(text: string): Map<string, SystemFacts> {
  const found = new Map<string, SystemFacts>();
  for (const form of readText(text).forms) {
    const [operator, name, ...options] = form.children;
    if (operator === undefined || name === undefined || !DEFSYSTEM.test(textOf(text, operator))) continue;
    const option = (...names: string[]): string | null => {
      const at = options.findIndex(
        (each, index) => index % 2 === 0 && names.includes(textOf(text, each).toLowerCase()),
      );
      return stringOf(text, options[at + 1]);
    };
    found.set(designatedName(textOf(text, name)), {
      description: inOneLine(option(':description')),
      licence: inOneLine(option(':license', ':licence')),
    });
  }
  return found;
}

/** Returns a text in one line, cut if it is too long; null for an empty one. */
function inOneLine(text: string | null): string | null {
  const plain = text?.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (plain === '') return null;
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS - 1)}…` : plain;
}

const DEFSYSTEM = /^(?:\S+:)?defsystem$/i;

function textOf(text: string, form: Form): string {
  return text.slice(form.start, form.end);
}

/** Returns the value of a string form; null for any other form, such as one that computes a string. */
function stringOf(text: string, form: Form | undefined): string | null {
  if (form?.kind !== 'string' || form.start !== form.body) return null;
  return text.slice(form.start + 1, form.closed ? form.end - 1 : form.end).replaceAll(/\\([\s\S])/g, '$1');
}

/** Returns the name that a string, a keyword or a symbol designates as ASDF does: symbols in lower case. */
function designatedName(written: string): string {
  if (written.startsWith('"')) return written.slice(1, -1);
  return written.replace(/^(?:#:|:|\S+:)/, '').toLowerCase();
}
