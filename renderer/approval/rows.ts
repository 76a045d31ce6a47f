/** The rows that a card draws for a text or a change: numbers, sign, and coloured pieces. Pure. */
import type { DiffHunk, DiffLine, TextChange } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { type ColourState, colourLine, initialColour, type Run } from '../sexp/colour.ts';
import { lineEndsOf } from './edited.ts';
import { type HunkHead, HunkNames, titleHead } from './hunk-names.ts';
import { changedSpans, type Piece, piecesOf, rowsOfPieces, type Span } from './pieces.ts';

export interface LineRow {
  readonly kind: 'line';
  readonly sign: DiffLine['kind'];
  readonly before: number | null;
  readonly after: number | null;
  readonly pieces: readonly Piece[];
  /** The rest of the line in the row above. */
  readonly continued: boolean;
  readonly length: number;
  /** Index of the hunk that it belongs to; null in a text that is no change. */
  readonly hunk: number | null;
}

export interface HunkRow extends HunkHead {
  readonly kind: 'hunk';
  readonly hunk: number;
  /** What is known about it besides; null when nothing is. */
  readonly evidence: string | null;
}

export interface NoteRow {
  readonly kind: 'note';
  readonly text: string;
}

export type Row = LineRow | HunkRow | NoteRow;

/** Longer lines go on in the next row. */
const LONGEST_ROW = 400;
/** A longer text is drawn without colours: reading it all would take too long. */
const LONGEST_COLOURED = 500_000;

/** Said once where it is so of all lines; one line that differs shows its code point. */
const CRLF_NOTE: NoteRow = { kind: 'note', text: 'Every line ends in CR LF.' };
/** It cannot be seen in the last line itself. */
const UNENDED_NOTE: NoteRow = { kind: 'note', text: 'The file ends without a line end.' };

/** A whole text with its line numbers. */
export function textRows(text: string, lisp: boolean): Row[] {
  let state = initialColour;
  const crlf = lineEndsOf(text) === 'crlf';
  const coloured = lisp && text.length <= LONGEST_COLOURED;
  const rows: Row[] = linesOf(crlf ? text.replaceAll('\r\n', '\n') : text).flatMap((line, index) => {
    const colour = coloured ? colourLine(line, state) : null;
    if (colour) state = colour.state;
    return lineRows({ kind: 'same', before: null, after: index + 1 }, line, colour?.runs ?? [], null);
  });
  return crlf ? [...rows, CRLF_NOTE] : rows;
}

/**
 * A change, hunk by hunk. `after` is the whole new text where it is known: a hunk begins somewhere inside a form, and only
 * what stands before it tells what its first line is.
 */
export function changeRows(change: TextChange, after: string | null, lisp: boolean): Row[] {
  const whole = after !== null && isWhole(change.hunks, after) ? after : null;
  const coloured = lisp && Math.max(change.bytesBefore ?? 0, change.bytesAfter) <= LONGEST_COLOURED;
  const states = coloured && whole !== null ? statesOf(whole) : null;
  const names = new HunkNames(coloured ? whole : null);
  const rows: Row[] = [];
  const crlf = change.hunks.every(({ lines }) => lines.every(({ text }) => text.endsWith('\r')));
  change.hunks.forEach(({ lines, title, evidence }, hunk) => {
    const head = names.headOf(lines);
    const named = head.name === null && title !== null ? { ...head, ...titleHead(title, lines) } : head;
    rows.push({ kind: 'hunk', hunk, evidence: evidence === null ? null : visible(evidence), ...named });
    const spans = spansOf(lines);
    let state: ColourState = initialColour;
    lines.forEach((line, index) => {
      const follows = line.kind === 'removed' && lines[index - 1]?.kind === 'removed';
      const from = follows ? state : (states?.[(line.after ?? nextAfter(lines, index)) - 1] ?? state);
      const text = visible(crlf ? line.text.slice(0, -1) : line.text);
      const colour = coloured ? colourLine(text, from) : null;
      if (colour) state = colour.state;
      rows.push(...lineRows(line, text, colour?.runs ?? [], spans[index] ?? null, hunk));
    });
  });
  if (crlf && rows.length > 0) rows.push(CRLF_NOTE);
  if (whole !== null && endsUnended(change, whole)) rows.push(UNENDED_NOTE);
  return rows;
}

function lineRows(
  { kind, before, after }: Pick<DiffLine, 'kind' | 'before' | 'after'>,
  line: string,
  runs: readonly Run[],
  changed: Span | null,
  hunk: number | null = null,
): LineRow[] {
  return rowsOfPieces(piecesOf(line, runs, changed), LONGEST_ROW).map((pieces, index) => ({
    kind: 'line',
    sign: kind,
    before: index === 0 ? before : null,
    after: index === 0 ? after : null,
    pieces,
    continued: index > 0,
    length: pieces.reduce((sum, { text }) => sum + text.length, 0),
    hunk,
  }));
}

/** Lines of a text as they are numbered: a line feed at the end begins no line. */
function linesOf(text: string): string[] {
  const lines = visible(text).split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The colour state in which each line of a text begins. */
function statesOf(text: string): ColourState[] {
  const states: ColourState[] = [initialColour];
  for (const line of visible(text).split('\n')) states.push(colourLine(line, states.at(-1)!).state);
  return states;
}

function isWhole(hunks: readonly DiffHunk[], after: string): boolean {
  const lines = after.split('\n');
  return hunks.every((hunk) => hunk.lines.every((line) => line.after === null || lines[line.after - 1] === line.text));
}

function nextAfter(lines: readonly DiffLine[], from: number): number {
  for (let index = from; index < lines.length; index += 1)
    if (lines[index]!.after !== null) return lines[index]!.after!;
  for (let index = from; index >= 0; index -= 1) if (lines[index]!.after !== null) return lines[index]!.after! + 1;
  return 1;
}

/** What changed within lines, where as many lines were added as were removed just before. */
function spansOf(lines: readonly DiffLine[]): (Span | null)[] {
  const spans: (Span | null)[] = lines.map(() => null);
  for (let start = 0; start < lines.length; start += 1) {
    if (lines[start]!.kind !== 'removed') continue;
    let middle = start;
    while (lines[middle]?.kind === 'removed') middle += 1;
    let end = middle;
    while (lines[end]?.kind === 'added') end += 1;
    if (end - middle === middle - start) {
      for (let index = 0; index < middle - start; index += 1) {
        const found = changedSpans(visible(lines[start + index]!.text), visible(lines[middle + index]!.text));
        spans[start + index] = found?.before ?? null;
        spans[middle + index] = found?.after ?? null;
      }
    }
    start = Math.max(start, end - 1);
  }
  return spans;
}

function endsUnended({ hunks }: TextChange, whole: string): boolean {
  const last = whole.split('\n').length;
  const shown = hunks.at(-1)?.lines.some(({ after }) => after === last) ?? false;
  return shown && whole !== '' && !whole.endsWith('\n');
}
