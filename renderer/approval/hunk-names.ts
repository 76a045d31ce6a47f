/** What the head of a hunk says: the definitions that it touches, or the lines. Pure. */
import type { DiffLine } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';

export interface HunkHead {
  /** Name of the definition; null when the hunk has none that is known. */
  readonly name: string | null;
  /** "method", "new function", "Lines 12 to 19". */
  readonly what: string;
  readonly added: number;
  readonly removed: number;
}

const KINDS: Readonly<Record<string, string>> = {
  defun: 'function',
  defmethod: 'method',
  defgeneric: 'generic function',
  defmacro: 'macro',
  defvar: 'variable',
  defparameter: 'variable',
  defconstant: 'constant',
  defclass: 'class',
  defstruct: 'structure',
  'define-condition': 'condition',
  deftype: 'type',
  defpackage: 'package',
  defsystem: 'system',
};

export class HunkNames {
  readonly #text: string | null;
  readonly #forms: readonly Form[];
  readonly #starts: readonly number[];

  /** `text`: the whole new text of a Lisp file, or null when names cannot be told. */
  constructor(text: string | null) {
    this.#text = text;
    this.#forms = text === null ? [] : readText(text).forms;
    this.#starts = text === null ? [] : lineStarts(text);
  }

  headOf(lines: readonly DiffLine[]): HunkHead {
    const added = lines.filter(({ kind }) => kind === 'added').length;
    const removed = lines.filter(({ kind }) => kind === 'removed').length;
    const found = this.#definition(lines);
    return { ...(found ?? { name: null, what: placeOf(lines) }), added, removed };
  }

  #definition(lines: readonly DiffLine[]): { name: string; what: string } | null {
    if (this.#text === null) return null;
    const text = this.#text;
    const touched = new Set(lines.flatMap((line, index) => this.#touched(lines, line, index)));
    const named = [...touched].flatMap((form) => {
      const definition = definitionIn(text, form);
      return definition ? [{ form, ...definition }] : [];
    });
    const [first] = named;
    const shown = first ?? removedDefinition(lines);
    if (!shown) return null;
    const prefix = first ? (this.#isNew(first.form, lines) ? 'new ' : '') : 'removed ';
    const kind = KINDS[shown.operator] ?? shown.operator;
    const more = named.length > 1 ? ` and ${named.length - 1} more` : '';
    return { name: visible(oneLine(shown.name)), what: visible(`${prefix}${kind}${more}`) };
  }

  /** Forms that a changed line lies in; of a removed line, the form that both its neighbours lie in. */
  #touched(lines: readonly DiffLine[], line: DiffLine, index: number): Form[] {
    if (line.kind === 'added') return this.#formsAt(line.after!);
    if (line.kind === 'same' || lines[index - 1]?.kind === 'removed') return [];
    const above = lines[index - 1]?.after ?? null;
    const below = lines.slice(index).find(({ kind }) => kind !== 'removed')?.after ?? null;
    if (above === null || below === null) return [];
    const around = this.#formsAt(below);
    return this.#formsAt(above).filter((form) => around.includes(form));
  }

  #formsAt(line: number): Form[] {
    const start = this.#starts[line - 1]!;
    const end = this.#starts[line] ?? this.#text!.length + 1;
    return this.#forms.filter((form) => form.start < end - 1 && form.end > start);
  }

  #isNew(form: Form, lines: readonly DiffLine[]): boolean {
    const added = new Set(lines.flatMap(({ kind, after }) => (kind === 'added' ? [after] : [])));
    const first = this.#lineAt(form.start);
    const last = this.#lineAt(form.end - 1);
    for (let line = first; line <= last; line += 1) if (!added.has(line)) return false;
    return !lines.some(({ kind, text }) => kind === 'removed' && text.startsWith('(def'));
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** The head of a hunk whose definition the core names, as `defun total`. */
export function titleHead(title: string, lines: readonly DiffLine[]): { name: string; what: string } {
  const [, operator = '', name = ''] = /^(\S+)\s+(.+)$/s.exec(title) ?? [null, '', title];
  const begins = ({ text }: DiffLine): boolean => text.startsWith(`(${operator} `);
  const isNew =
    lines.some((line) => line.kind === 'added' && begins(line)) &&
    !lines.some((line) => line.kind === 'removed' && begins(line));
  return {
    name: visible(oneLine(name)),
    what: visible(`${isNew ? 'new ' : ''}${KINDS[operator] ?? operator}`),
  };
}

/** A definition that only the removed lines have. */
function removedDefinition(lines: readonly DiffLine[]): { operator: string; name: string } | null {
  const text = lines.flatMap(({ kind, text: line }) => (kind === 'removed' ? [line] : [])).join('\n');
  for (const form of readText(text).forms) {
    const definition = form.closed ? definitionIn(text, form) : null;
    if (definition) return definition;
  }
  return null;
}

function placeOf(lines: readonly DiffLine[]): string {
  const numbers = lines.flatMap(({ before, after }) => after ?? before ?? []);
  const [first, last] = [Math.min(...numbers.slice(0, 1)), Math.max(...numbers.slice(-1))];
  return first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
