/** Splits a line of an agent's text into pieces of equal style. Characters that hide or reorder text become code points. Pure. */
import { visible } from '#contract/text/visible.ts';
import type { Part, Run } from '../../sexp/reading/colour.ts';

export interface Piece {
  readonly text: string;
  /** `hidden` marks an invisible character, which is written as its code point. */
  readonly part: Part | 'hidden';
  /** True if the piece differs from the line that it replaces. */
  readonly changed: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const CODE_POINT = /⟨U\+[0-9A-F]{4,6}⟩/g;

/** Splits a line returned by `visible` into pieces. `runs` may be empty for plain text. */
export function piecesOf(line: string, runs: readonly Run[], changed: Span | null): Piece[] {
  const hidden = [...line.matchAll(CODE_POINT)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
  }));
  const cuts = new Set([0, line.length]);
  for (const { start, end } of [...runs, ...hidden, ...(changed ? [changed] : [])]) cuts.add(start).add(end);
  const places = [...cuts].filter((place) => place <= line.length).sort((left, right) => left - right);
  const pieces: Piece[] = [];
  let run = 0;
  let mark = 0;
  for (let index = 0; index + 1 < places.length; index += 1) {
    const [start, end] = [places[index]!, places[index + 1]!];
    while (run < runs.length && runs[run]!.end <= start) run += 1;
    while (mark < hidden.length && hidden[mark]!.end <= start) mark += 1;
    const isHidden = mark < hidden.length && hidden[mark]!.start <= start;
    const part = isHidden ? 'hidden' : run < runs.length && runs[run]!.start <= start ? runs[run]!.part : 'plain';
    pieces.push({
      text: line.slice(start, end),
      part,
      changed: changed !== null && start >= changed.start && end <= changed.end,
    });
  }
  return pieces;
}

/** Splits a line of an agent's text outside code, where only hidden characters are highlighted. */
export function plainPieces(text: string): Piece[] {
  return piecesOf(visible(text), [], null);
}

/** Breaks a long line into rows, so that its end is as easy to see as its start. */
export function rowsOfPieces(pieces: readonly Piece[], longest: number): Piece[][] {
  const rows: Piece[][] = [[]];
  let room = longest;
  for (const piece of pieces) {
    let { text } = piece;
    while (text.length > room) {
      const cut = isHighSurrogate(text, room - 1) ? room + 1 : room;
      rows.at(-1)!.push({ ...piece, text: text.slice(0, cut) });
      text = text.slice(cut);
      rows.push([]);
      room = longest;
    }
    if (text) rows.at(-1)!.push({ ...piece, text });
    room -= text.length;
  }
  if (rows.length > 1 && rows.at(-1)!.length === 0) rows.pop();
  return rows;
}

/**
 * Returns the spans that differ between a line and its replacement, extended to whole words. Returns null if the lines have so little in
 * common that highlighting would not help.
 */
export function changedSpans(before: string, after: string): { before: Span; after: Span } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  if (isInWord(before, start) || isInWord(after, start)) while (start > 0 && !isEdge(before[start - 1])) start -= 1;
  const [left, right] = [before.length - end, after.length - end];
  if (isInWord(before, left - 1) || isInWord(after, right - 1)) while (end > 0 && !isEdge(before.at(-end))) end -= 1;
  const indent = /^\s*/.exec(before)![0].length;
  const same = Math.max(0, start - indent) + end;
  if (same * 3 < Math.max(before.length, after.length) - indent) return null;
  return { before: { start, end: before.length - end }, after: { start, end: after.length - end } };
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && !isEdge(text[at]);
}

function isEdge(character: string | undefined): boolean {
  return character === undefined || /[\s()"'`,;]/.test(character);
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
