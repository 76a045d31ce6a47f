/** Which hunks of a change the person takes. All are taken until one is left out. Pure but for the context that hands it down. */
import { createContext } from 'react';
import type { ApprovalCard, DiffHunk } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';

export interface HunkChoice {
  /** Whether the hunk with this index is taken. */
  readonly takes: (hunk: number) => boolean;
  readonly toggle: (hunk: number) => void;
  /** What its checkbox is called: "Take defun total". */
  readonly nameOf: (hunk: number) => string;
}

/** Null on a card whose hunks are decided together. */
export const ChosenHunks = createContext<HunkChoice | null>(null);

/**
 * Names a hunk by where it stands and what it says: one that was left out stays so when its card is drawn again, and one
 * that has changed has to be left out anew.
 */
export function hunkKey({ lines }: DiffHunk): string {
  const [first] = lines;
  const text = lines.map(({ kind, text: line }) => `${kind} ${line}`).join('\n');
  return `${first?.before ?? ''} ${first?.after ?? ''}\n${text}`;
}

/** Indices of the hunks that are taken; null where they cannot be chosen. */
export function takenHunks({ change, choosable }: ApprovalCard, left: readonly string[]): number[] | null {
  if (!choosable || !change) return null;
  return change.hunks.flatMap((hunk, index) => (left.includes(hunkKey(hunk)) ? [] : [index]));
}

/** The part of the decision that says which; nothing when all are. */
export function chosenPart({ change }: ApprovalCard, taken: readonly number[] | null): { hunks?: number[] } {
  return taken === null || taken.length === change?.hunks.length ? {} : { hunks: [...taken] };
}

/** "2 of 3 changes will be written". */
export function takenWords({ change }: ApprovalCard, taken: readonly number[]): string {
  return `${taken.length} of ${change?.hunks.length ?? 0} changes will be written`;
}

export function takeName({ lines, title }: DiffHunk, index: number): string {
  if (title !== null) return `Take ${visible(title.replaceAll(/\s+/g, ' '))}`;
  const at = lines.find(({ kind }) => kind !== 'same');
  const line = at?.after ?? at?.before ?? null;
  return line === null ? `Take change ${index + 1}` : `Take change ${index + 1}, line ${line}`;
}
