/** Marks definitions as reviewed when the person approves an edit that writes them to a file as the image already runs them. */
import type { Approved } from '#core/approvals/request.ts';
import { hunksOf } from '#core/project/edits/hunks.ts';
import { changedForms, isLispPath, readLisp } from '#core/project/edits/lisp-file.ts';
import type { Written } from '../file-changes.ts';
import type { ToolContext } from '../../tool.ts';

/**
 * Call this after all steps of an approved call. Only the person's own approval counts, and only for the definitions in the accepted hunks
 * whose code in the image is the written text. Code that differs from the text was not on the card.
 */
export async function reviewApproved(
  { changed }: Pick<Written, 'changed'>,
  { session }: Pick<ToolContext, 'session'>,
  approved: Pick<Approved, 'id' | 'byPerson'> | null,
): Promise<void> {
  if (!approved?.byPerson || session.view().pid === null) return;
  const files = changed.flatMap(({ file, text, planned }) =>
    text !== null && isLispPath(file) ? [{ file, text, before: planned.before?.text ?? '' }] : [],
  );
  if (files.length === 0) return;
  const { life } = session.definitions;
  const asked = { files: files.map(({ file, text }) => ({ file, text })), package: null };
  const found = await session.lookUp('definition-states', asked).catch(() => null);
  const written = new Map(files.map(({ file, text, before }) => [file, changedOffsets(before, text)]));
  const events = (found?.definitions ?? []).flatMap(({ state, file, offset, event }) =>
    state === 'same' && event !== null && file !== null && offset !== null && written.get(file)?.has(offset)
      ? [{ life, id: event }]
      : [],
  );
  session.approvedReviews.mark(approved.id, events);
}

/** Returns where the forms begin that differ from the text before; none if the texts cannot be compared. */
function changedOffsets(before: string, text: string): ReadonlySet<number> {
  const after = readLisp(text);
  const hunks = hunksOf(before, text, true)?.shown ?? [];
  return new Set(hunks.flatMap((hunk) => changedForms(hunk, after).map(({ start }) => start)));
}
