/**
 * Finds the parts in which a text differs from its replacement. Replacing only these parts leaves carets, folds and decorations elsewhere
 * in place. Pure.
 */
import { diffArrays } from 'diff';

/** A range of characters, from `start` to before `end`, and its replacement. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Milliseconds after which a comparison stops. Everything between the first and the last difference then counts as one part. */
const COMPARE_MS = 100;
/** The maximum number of characters that are compared line by line. */
const MOST_COMPARED = 1_000_000;

/** Returns the separate parts of `before` that differ from `after`, in order and as whole lines; empty if the texts are equal. */
export function changedParts(before: string, after: string): ChangedPart[] {
  if (before === after) return [];
  const start = beginningOfLine(before, sameAtStart(before, after));
  const same = sameAtEnd(before, after, start);
  const [left, right] = [before.slice(start, before.length - same), after.slice(start, after.length - same)];
  const whole = [{ start, end: before.length - same, text: right }];
  if (left === '' || right === '' || left.length + right.length > MOST_COMPARED) return whole;
  const compared = diffArrays(linesOf(left), linesOf(right), { timeout: COMPARE_MS });
  if (!compared) return whole;
  const parts: ChangedPart[] = [];
  let at = start;
  for (const { added, removed, value } of compared) {
    const text = value.join('');
    const last = parts.at(-1);
    if (added && last?.end === at) parts[parts.length - 1] = { ...last, text: last.text + text };
    else if (added) parts.push({ start: at, end: at, text });
    else if (removed && last?.end === at) parts[parts.length - 1] = { ...last, end: at + text.length };
    else if (removed) parts.push({ start: at, end: at + text.length, text: '' });
    if (!added) at += text.length;
  }
  return parts;
}

function sameAtStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same += 1;
  return same;
}

/** Returns the number of equal characters at the ends of the two texts, after `start`, counted in whole lines. */
function sameAtEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let same = 0;
  let lines = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) {
    if (before[before.length - 1 - same] === '\n') lines = same;
    same += 1;
  }
  return lines;
}

function beginningOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Splits a text into lines, each with its line end. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
