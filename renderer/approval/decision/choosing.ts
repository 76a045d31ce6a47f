/** The hunks of a change that the person takes; all, until one is left out. Pure but for the React context. */
import { createContext } from 'react';
import type { ApprovalCard, CardChange, CardHunk, DiffHunk } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';

export interface HunkChoice {
  /** Returns true when the hunk with this index is taken. */
  readonly takes: (hunk: number) => boolean;
  readonly toggle: (hunk: number) => void;
  /** Returns the name of the hunk's checkbox: "Take defun total". */
  readonly nameOf: (hunk: number) => string;
}

/** The choice of hunks; null on a card whose hunks are decided together. */
export const ChosenHunks = createContext<HunkChoice | null>(null);

/**
 * Names a hunk by its file, its place and its text: a hunk that was left out stays so when its card is drawn again, unless it
 * has changed. `file`: path of its file, on a card of several. @internal Exported for its test.
 */
export function hunkKey({ lines, what = '' }: DiffHunk & { what?: string }, file = ''): string {
  const [first] = lines;
  const text = lines.map(({ kind, text: line }) => `${kind} ${line}`).join('\n');
  return `${file} ${first?.before ?? ''} ${first?.after ?? ''}\n${lines.length === 0 ? what : text}`;
}

/** Keys of all hunks of a change, in their order. */
export function hunkKeys(change: CardChange): string[] {
  return change.hunks.map((hunk, index) => hunkKey(hunk, fileOf(change, index)));
}

/** Path of the file that a hunk belongs to; undefined on a card of one file. */
function fileOf({ files }: CardChange, hunk: number): string | undefined {
  return files?.findLast(({ first }) => first <= hunk)?.path;
}

/** Indices of the hunks that are taken; null where they cannot be chosen. */
export function takenHunks({ change, choosable }: ApprovalCard, left: readonly string[]): number[] | null {
  if (!choosable || !change) return null;
  return hunkKeys(change).flatMap((key, index) => (left.includes(key) ? [] : [index]));
}

/** The part of the decision that says which; nothing when all are. */
export function chosenPart({ change }: ApprovalCard, taken: readonly number[] | null): { hunks?: number[] } {
  return taken === null || taken.length === change?.hunks.length ? {} : { hunks: [...taken] };
}

/** The choice of hunks in words, such as "2 of 3 changes will be written". */
export function takenWords({ change }: ApprovalCard, taken: readonly number[]): string {
  return `${taken.length} of ${change?.hunks.length ?? 0} changes will be written`;
}

/** The name of a hunk's checkbox on its card. */
export function takeNameIn(change: CardChange, index: number): string {
  const hunk = change.hunks[index]!;
  const file = fileOf(change, index);
  if (file === undefined) return takeName(hunk, index);
  const { title, name, what } = hunk;
  return visible(`Take ${title ?? (name === null ? what : `${what} ${name}`)}, ${file}`);
}

/** The name of a hunk's checkbox on a card of one file. @internal Exported for its test. */
export function takeName({ lines, title }: CardHunk, index: number): string {
  if (title !== null) return `Take ${visible(title)}`;
  const at = lines.find(({ kind }) => kind !== 'same');
  const line = at?.after ?? at?.before ?? null;
  return line === null ? `Take change ${index + 1}` : `Take change ${index + 1}, line ${line}`;
}
