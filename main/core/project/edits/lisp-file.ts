/** A Lisp file as text: its top-level forms, the offsets of its lines, and the forms that a hunk affects. Pure. */
import type { DiffHunk } from '#contract/decisions/approval.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';

export interface LispFile {
  readonly text: string;
  readonly forms: readonly Form[];
  /** The offset of the first character of each line. */
  readonly starts: readonly number[];
}

/** Returns true for file names of Lisp sources, including system definitions. */
export function isLispPath(file: string): boolean {
  return /\.(lisp|lsp|cl|asd)$/i.test(file);
}

export function readLisp(text: string): LispFile {
  return { text, forms: readText(text).forms, starts: lineStarts(text) };
}

/** Returns the forms on one side that contain the hunk's added or removed lines. */
export function touchedForms({ lines }: DiffHunk, side: 'before' | 'after', file: LispFile): Form[] {
  const own = lines.flatMap((line) => (line.kind === 'same' ? [] : (line[side] ?? [])));
  return inOrder(
    file,
    own.flatMap((line) => formsInLine(file, line)),
  );
}

/** Returns the forms of the new text that a hunk changes: forms with added lines, and forms that lose lines. */
export function changedForms(hunk: DiffHunk, after: LispFile): Form[] {
  const { lines } = hunk;
  const shortened = lines.flatMap((line, index) => {
    if (line.kind !== 'removed' || lines[index - 1]?.kind === 'removed') return [];
    const above = lines[index - 1]?.after ?? null;
    const below = lines.slice(index).find(({ kind }) => kind !== 'removed')?.after ?? null;
    if (above === null || below === null) return [];
    const around = formsInLine(after, below);
    return formsInLine(after, above).filter((form) => around.includes(form));
  });
  return inOrder(after, [...touchedForms(hunk, 'after', after), ...shortened]);
}

/** Returns the line number of a character, from 1. */
export function lineAt({ starts }: LispFile, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function formsInLine({ text, forms, starts }: LispFile, line: number): Form[] {
  const start = starts[line - 1] ?? text.length;
  const end = starts[line] ?? text.length;
  const found: Form[] = [];
  for (let at = firstAfter(forms, start); at < forms.length && forms[at]!.start < end; at += 1) found.push(forms[at]!);
  return found;
}

/** Returns the index of the first form that ends after the offset, by binary search; forms do not overlap. */
function firstAfter(forms: readonly Form[], offset: number): number {
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forms[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function inOrder({ forms }: LispFile, some: readonly Form[]): Form[] {
  const wanted = new Set(some);
  return forms.filter((form) => wanted.has(form));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
