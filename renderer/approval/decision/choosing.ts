/**
 * The hunks of a change that the person accepts: all of them, except those that the person leaves out. Pure except for the React context.
 */
import { createContext } from 'react';
import type { ApprovalCard, CardChange, CardHunk, DiffHunk } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';

export interface HunkChoice {
  /** Returns true if the hunk with this index is accepted. */
  readonly takes: (hunk: number) => boolean;
  readonly toggle: (hunk: number) => void;
  /** Returns the name of the hunk's checkbox: "Include defun total". */
  readonly nameOf: (hunk: number) => string;
}

/** The choice of hunks; null on a card whose hunks can only be decided together. */
export const ChosenHunks = createContext<HunkChoice | null>(null);

/**
 * Returns a key made of the hunk's file, position and text, so that an excluded hunk stays excluded when its card is redrawn, unless the
 * hunk changed. `file`: the path of the hunk's file, on a card with several files. @internal Exported for its test.
 */
export function hunkKey({ lines, what = '' }: DiffHunk & { what?: string }, file = ''): string {
  const [first] = lines;
  const text = lines.map(({ kind, text: line }) => `${kind} ${line}`).join('\n');
  return `${file} ${first?.before ?? ''} ${first?.after ?? ''}\n${lines.length === 0 ? what : text}`;
}

/** Returns the keys of all hunks of a change, in order. */
export function hunkKeys(change: CardChange): string[] {
  return change.hunks.map((hunk, index) => hunkKey(hunk, fileOf(change, index)));
}

/** Returns the path of the file that a hunk belongs to; undefined on a card with one file. */
function fileOf({ files }: CardChange, hunk: number): string | undefined {
  return files?.findLast(({ first }) => first <= hunk)?.path;
}

/** Returns the indices of the accepted hunks; null if hunks cannot be chosen. */
export function takenHunks({ change, choosable }: ApprovalCard, left: readonly string[]): number[] | null {
  if (!choosable || !change) return null;
  return hunkKeys(change).flatMap((key, index) => (left.includes(key) ? [] : [index]));
}

/** Returns the part of the decision that names the accepted hunks; empty if all are accepted. */
export function chosenPart({ change }: ApprovalCard, taken: readonly number[] | null): { hunks?: number[] } {
  return taken === null || taken.length === change?.hunks.length ? {} : { hunks: [...taken] };
}

/** Describes the chosen hunks, for example "2 of 3 changes will be written". */
export function takenWords({ change }: ApprovalCard, taken: readonly number[]): string {
  return `${taken.length} of ${change?.hunks.length ?? 0} changes will be written`;
}

/** Returns the name of a hunk's checkbox on its card. */
export function takeNameIn(change: CardChange, index: number): string {
  const hunk = change.hunks[index]!;
  const file = fileOf(change, index);
  if (file === undefined) return takeName(hunk, index);
  const { title, name, what } = hunk;
  return visible(`Include ${title ?? (name === null ? what : `${what} ${name}`)}, ${file}`);
}

/** Returns the name of a hunk's checkbox on a card with one file. @internal Exported for its test. */
export function takeName({ lines, title }: CardHunk, index: number): string {
  if (title !== null) return `Include ${visible(title)}`;
  const at = lines.find(({ kind }) => kind !== 'same');
  const line = at?.after ?? at?.before ?? null;
  return line === null ? `Include change ${index + 1}` : `Include change ${index + 1}, line ${line}`;
}
