/** The line-by-line change that a write to a file would make, for an approval card. */
import type { DiffHunk, DiffLine, TextChange } from '#contract/decisions/approval.ts';
import { hunksOf } from './hunks.ts';

/** The current state of the file. */
export interface Present {
  readonly text: string;
  readonly bytes: number;
  /** True if the file is not valid UTF-8, which means that the text does not represent all its content. */
  readonly lossy?: boolean;
}

/** Compares the current file (null if there is none) with the text that the write would store. Pure. */
export function textChange(
  path: string,
  absolutePath: string,
  before: Present | null,
  after: string,
  hunks: readonly DiffHunk[] | null = compare(before?.text ?? '', after),
): TextChange {
  const bytesAfter = Buffer.byteLength(after, 'utf8');
  const facts = { path, absolutePath, bytesBefore: before?.bytes ?? null, bytesAfter };
  const without = (why: string): TextChange => ({ ...facts, hunks: [], added: 0, removed: 0, withoutDiff: why });
  if (before?.lossy) return without('The file on disk is not UTF-8 text.');
  if (!hunks) return without('The texts are too long, or differ too much, to be compared line by line.');
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    ...facts,
    hunks: [...hunks],
    added: count(lines, 'added'),
    removed: count(lines, 'removed'),
    withoutDiff: null,
  };
}

/** Returns hunks with three lines of context; null if the texts are too long or the comparison takes too long. */
export function compare(before: string, after: string): DiffHunk[] | null {
  return hunksOf(before, after, false)?.shown ?? null;
}

/** Returns the hunks as a unified diff, for an agent. */
export function unifiedText(hunks: readonly DiffHunk[]): string {
  const sign = { same: ' ', added: '+', removed: '-' };
  return hunks.map(({ lines }) => lines.map((line) => sign[line.kind] + line.text).join('\n')).join('\n…\n');
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.filter((line) => line.kind === kind).length;
}
