/** What a write would do to a file, line by line: the change that an approval card shows. */
import { structuredPatch } from 'diff';
import type { DiffHunk, DiffLine, TextChange } from '#contract/approval.ts';
import type { TextFile } from './files.ts';

const CONTEXT_LINES = 3;
/** A comparison that takes longer holds up everybody and is of no use on a card. */
const DIFF_LIMIT_MS = 400;
/** Lines of both texts together. Splitting and numbering more takes long by itself. */
const MOST_LINES = 200_000;

/** Compares the file as it is (null: none) with the text to be written. Pure. */
export function textChange(path: string, absolutePath: string, before: TextFile | null, after: string): TextChange {
  const facts = {
    path,
    absolutePath,
    bytesBefore: before?.bytes ?? null,
    bytesAfter: Buffer.byteLength(after, 'utf8'),
  };
  if (before?.lossy)
    return { ...facts, hunks: [], added: 0, removed: 0, withoutDiff: 'The file on disk is no UTF-8 text.' };
  const hunks = compare(before?.text ?? '', after);
  if (!hunks)
    return {
      ...facts,
      hunks: [],
      added: 0,
      removed: 0,
      withoutDiff: 'The texts are too long, or differ too much, to be compared line by line.',
    };
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return { ...facts, hunks, added: count(lines, 'added'), removed: count(lines, 'removed'), withoutDiff: null };
}

/** Hunks with three lines of context; null when the texts are too long or the comparison takes too long. */
export function compare(before: string, after: string): DiffHunk[] | null {
  if (lineCount(before) + lineCount(after) > MOST_LINES) return null;
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, timeout: DIFF_LIMIT_MS });
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => ({
      lines: numbered(lines, oldStart, newStart),
      title: null,
      evidence: null,
    })) ?? null
  );
}

/** The hunks as a unified diff, for an agent. */
export function unifiedText(hunks: readonly DiffHunk[]): string {
  const sign = { same: ' ', added: '+', removed: '-' };
  return hunks.map(({ lines }) => lines.map((line) => sign[line.kind] + line.text).join('\n')).join('\n…\n');
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  let before = oldStart;
  let after = newStart;
  const numberedLines: DiffLine[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) numberedLines.push({ kind: 'added', text, before: null, after: after++ });
    else if (line.startsWith('-')) numberedLines.push({ kind: 'removed', text, before: before++, after: null });
    else if (line.startsWith(' ')) numberedLines.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return numberedLines;
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.filter((line) => line.kind === kind).length;
}
