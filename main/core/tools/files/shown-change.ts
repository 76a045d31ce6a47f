/** The change to a file, in hunks. The card shows them, each compared with the image, and the accepted ones are written. */
import type { CardChange, DiffHunk } from '#contract/decisions/approval.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Approved, CardFacts } from '#core/approvals/request.ts';
import { namedChange } from '#core/project/edits/hunk-names.ts';
import { hunksOf } from '#core/project/edits/hunks.ts';
import { isLispPath, readLisp } from '#core/project/edits/lisp-file.ts';
import { type Present, textChange } from '#core/project/edits/text-change.ts';
import { type CheckedChange, checkedChange } from './edit-check.ts';
import { definitionsHeadline } from './definitions/edited-forms.ts';
import { withEvidence } from './definitions/edited-image.ts';
import type { ToolContext } from '../tool.ts';

/** A file, its text (null if there is none yet), and the text to write. */
interface Rewritten {
  readonly file: string;
  readonly before: Present | null;
  readonly after: string;
}

interface ShownChange extends Required<Pick<CardFacts, 'choosable'>> {
  readonly change: CardChange;
  readonly checked: CheckedChange | null;
  /** The headline if the change affects only definitions, such as "Change 3 definitions in shop.lisp"; null for other changes. */
  readonly definitions: string | null;
}

export async function shownChange({ file, before, after }: Rewritten, context: ToolContext): Promise<ShownChange> {
  const shown = context.project.display(file);
  const hunks = hunksOf(before?.text ?? '', after, isLispPath(file))?.shown ?? null;
  const read = isLispPath(file) ? { before: readLisp(before?.text ?? ''), after: readLisp(after) } : null;
  const named = namedChange(textChange(shown, file, before, after, hunks), after);
  const change = read ? { ...named, hunks: await withEvidence(named.hunks, read.after, file, context) } : named;
  return {
    change,
    choosable: change.hunks.length > 1,
    checked: read ? await checkedChange(change.hunks, read.after, context) : null,
    definitions: read && before ? definitionsHeadline(shown, change.hunks, read.before, read.after) : null,
  };
}

/**
 * Returns the text with the accepted hunks (null for all), and all hunks of the change.
 * @throws WorkbenchError `refused` if some hunks were left out and the texts cannot be compared again.
 */
export function takenText(
  { file, before, after }: Rewritten,
  taken: Approved['hunks'],
): { text: string; hunks: readonly DiffHunk[] } {
  const hunks = hunksOf(before?.text ?? '', after, isLispPath(file));
  if (hunks) return { text: hunks.take(taken), hunks: hunks.shown };
  if (taken === null) return { text: after, hunks: [] };
  throw new WorkbenchError('refused', 'Nothing was written, because comparing the old and the new text took too long.');
}
