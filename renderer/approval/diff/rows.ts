/** The rows that a card draws for a text or a change: numbers, sign and coloured pieces. Pure. */
import type { CardChange, CardFile, CardHunk, DiffHunk, DiffLine } from '#contract/decisions/approval.ts';
import { counted } from '#contract/text/text.ts';
import { visible } from '#contract/text/visible.ts';
import { type ColourState, colourLine, initialColour, type Run } from '../../sexp/reading/colour.ts';
import { lineEndsOf } from '../edit/edited.ts';
import { changedSpans, type Piece, piecesOf, rowsOfPieces, type Span } from './pieces.ts';

export interface LineRow {
  readonly kind: 'line';
  readonly sign: DiffLine['kind'];
  readonly before: number | null;
  readonly after: number | null;
  readonly pieces: readonly Piece[];
  /** True if the row continues the same line as the row above. */
  readonly continued: boolean;
  readonly length: number;
  /** The index of the row's hunk; null in a text without hunks. */
  readonly hunk: number | null;
}

export interface HunkRow extends Pick<CardHunk, 'name' | 'what' | 'evidence'> {
  readonly kind: 'hunk';
  readonly hunk: number;
  readonly added: number;
  readonly removed: number;
}

/** The header of a file in a change of several files. */
export interface FileRow extends Pick<CardFile, 'path' | 'absolutePath'> {
  readonly kind: 'file';
  /** The kind and size of the file, such as "new file, 3,015 bytes". */
  readonly measures: string;
}

interface NoteRow {
  readonly kind: 'note';
  readonly text: string;
}

export type Row = LineRow | HunkRow | FileRow | NoteRow;

/**
 * The maximum length of a row in characters, about one line on a card. A longer line continues in the next row, so that folding by rows
 * matches the drawn lines.
 */
const LONGEST_ROW = 120;
/** The length from which a text is drawn without colours, because scanning all of it would take too long. */
const LONGEST_COLOURED = 500_000;

/** The note on a text whose lines all end in CR LF. In a text with mixed line ends, each CR is shown as a code point instead. */
const CRLF_NOTE: NoteRow = { kind: 'note', text: 'Every line ends in CR LF.' };
/** The note about a missing line end, which is invisible in the last line itself. */
const UNENDED_NOTE: NoteRow = { kind: 'note', text: 'The file does not end with a newline.' };

/** Returns the rows of a whole text with line numbers. */
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
 * Returns the rows of a change, hunk by hunk. `after` is the whole new text, or null if it is unknown. It is needed to colour a hunk that
 * starts inside a form.
 */
export function changeRows(change: CardChange, after: string | null, lisp: boolean): Row[] {
  const whole = after !== null && !change.files && isWhole(change.hunks, after) ? after : null;
  const isColoured = lisp && Math.max(change.bytesBefore ?? 0, change.bytesAfter) <= LONGEST_COLOURED;
  let coloured = isColoured;
  const states = coloured && whole !== null ? statesOf(whole) : null;
  const rows: Row[] = [];
  const crlf =
    change.hunks.some(({ lines }) => lines.length > 0) &&
    change.hunks.every(({ lines }) => lines.every(({ text }) => text.endsWith('\r')));
  change.hunks.forEach((shown, hunk) => {
    const { lines } = shown;
    for (const file of change.files?.filter(({ first }) => first === hunk) ?? []) {
      rows.push(fileRow(file));
      coloured = isColoured && LISP_FILE.test(file.path);
    }
    rows.push(hunkRow(shown, hunk));
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

/** Names of files whose lines are coloured in a change of several files. */
const LISP_FILE = /\.(lisp|lsp|cl|asd)$/i;

function fileRow({ path, absolutePath, bytesBefore, bytesAfter }: CardFile): FileRow {
  const measures =
    bytesAfter === null
      ? counted(bytesBefore ?? 0, 'byte')
      : bytesBefore === null
        ? `new file, ${counted(bytesAfter, 'byte')}`
        : `${bytesBefore.toLocaleString('en-US')} → ${counted(bytesAfter, 'byte')}`;
  return { kind: 'file', path: visible(path), absolutePath, measures };
}

function hunkRow({ lines, name, what, evidence }: CardHunk, hunk: number): HunkRow {
  const count = (sign: DiffLine['kind']): number => lines.filter(({ kind }) => kind === sign).length;
  return {
    kind: 'hunk',
    hunk,
    name: name === null ? null : visible(name),
    what: visible(what),
    evidence: evidence === null ? null : { ...evidence, words: visible(evidence.words) },
    added: count('added'),
    removed: count('removed'),
  };
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

/** Splits a text into lines to number. A line feed at the end of the text does not start another line. */
function linesOf(text: string): string[] {
  const lines = visible(text).split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the colour state at the start of each line of a text. */
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

/** Returns the changed spans within lines. Lines have such spans only if as many lines were added as were removed directly before them. */
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

function endsUnended({ hunks }: CardChange, whole: string): boolean {
  const last = whole.split('\n').length;
  const shown = hunks.at(-1)?.lines.some(({ after }) => after === last) ?? false;
  return shown && whole !== '' && !whole.endsWith('\n');
}
