/** Turns whole lines into comments and back, without unbalancing the form around them. Pure. */
import { balanceOf } from '../reading/pairs.ts';
import { codeEndBefore, crossingsOf } from './crossings.ts';
import { edited, type LineEdit, type Span } from './edits.ts';
import { Tree } from './tree.ts';

/** The mark of a whole-line comment, which the editor also uses. */
const MARK = ';;';

/**
 * Toggles the comment on whole lines, which are passed without their last line break. With another `way`, makes all of them comments or all
 * of them code.
 */
export function toggledComment(text: string, lines: Span, way: 'toggle' | 'comment' | 'code' = 'toggle'): LineEdit {
  if (!balanceOf(text).isBalanced) return 'plain';
  const rows = rowsOf(text, lines).filter(({ row }) => row.trim() !== '');
  const isComment = rows.every(({ row }) => row.trimStart().startsWith(MARK));
  if (rows.length === 0 || (way === 'code' && !isComment)) return 'plain';
  return isComment && way !== 'comment' ? uncommented(text, lines, rows) : commented(text, lines, rows);
}

interface Row {
  readonly start: number;
  readonly row: string;
}

function rowsOf(text: string, { start, end }: Span): Row[] {
  const rows: Row[] = [];
  let at = start;
  for (const row of text.slice(start, end).split('\n')) {
    rows.push({ start: at, row });
    at += row.length + 1;
  }
  return rows;
}

/** Turns lines into comments. Closers of surrounding forms move to a separate line after the comments. */
function commented(text: string, lines: Span, rows: readonly Row[]): LineEdit {
  const column = Math.min(...rows.map(({ row }) => blankBefore(row)));
  const marks = rows.map(({ start }) => ({ start: start + column, end: start + column, text: `${MARK} ` }));
  if (balanceOf(edited(text, marks)).isBalanced) return 'plain';
  const crossings = crossingsOf(new Tree(text), [lines]);
  if (!crossings.every(({ kind, inside }) => kind === 'list' && inside === 'closer')) return 'unbalancing';
  const [first] = crossings;
  if (!first) return 'unbalancing';
  const last = rows.at(-1)!;
  const tail = /^\)+/.exec(text.slice(first.closer.start, lines.end))![0];
  // Closers at the very end of the lines are moved. Closers elsewhere are copied, so that the comment keeps the original text.
  const isTail =
    first.closer.start >= last.start + column &&
    tail.length === crossings.length &&
    /^\s*(?:;.*)?$/.test(text.slice(first.closer.start + tail.length, lines.end));
  const edits = [
    ...marks,
    ...(isTail ? [{ start: first.closer.start, end: first.closer.start + tail.length, text: '' }] : []),
    { start: lines.end, end: lines.end, text: `\n${')'.repeat(crossings.length)}` },
  ];
  return balanceOf(edited(text, edits)).isBalanced ? edits : 'unbalancing';
}

/**
 * Turns lines into code. Closers on a separate line after the lines move to the end of the code, except for closers that the lines already
 * contain.
 */
function uncommented(text: string, lines: Span, rows: readonly Row[]): LineEdit {
  const unmarked = rows.map(({ start, row }) => {
    const from = start + blankBefore(row);
    const blank = row.charAt(blankBefore(row) + MARK.length) === ' ' ? 1 : 0;
    return { start: from, end: from + MARK.length + blank, text: '' };
  });
  const bare = edited(text, unmarked);
  const { isBalanced, stray } = balanceOf(bare);
  const behind = /^\n[^\S\n]*(\)+)[^\S\n]*(?=\n|$)/.exec(text.slice(lines.end));
  const closers = behind?.[1]!.length ?? 0;
  const removed = unmarked.reduce((length, { start, end }) => length + end - start, 0);
  const codeEnd = codeEndBefore(new Tree(bare), lines.end - removed);
  const lastRow = rows.at(-1)!.start - removed + (unmarked.at(-1)!.end - unmarked.at(-1)!.start);
  // If the last line is still a comment, closers cannot be put at its end.
  const joins = behind !== null && stray <= closers && codeEnd !== null && codeEnd > lastRow;
  if (!joins) return isBalanced ? 'plain' : 'unbalancing';
  const edits = [
    ...unmarked,
    { start: codeEnd + removed, end: codeEnd + removed, text: ')'.repeat(closers - stray) },
    { start: lines.end, end: lines.end + behind[0].length, text: '' },
  ];
  return balanceOf(edited(text, edits)).isBalanced ? edits : isBalanced ? 'plain' : 'unbalancing';
}

function blankBefore(row: string): number {
  return /^\s*/.exec(row)![0].length;
}
