/** The headline of an edit that changes only definitions of a Lisp file. Pure. */
import type { DiffHunk } from '#contract/decisions/approval.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { type LispFile, touchedForms } from '#core/project/edits/lisp-file.ts';

const LONGEST_NAME = 80;

/**
 * Returns a headline such as "Change discount in src/cart.lisp" or "Add 2 definitions to src/cart.lisp"; null if the edit also changes
 * other parts of the file.
 */
export function definitionsHeadline(
  path: string,
  hunks: readonly DiffHunk[],
  before: LispFile,
  after: LispFile,
): string | null {
  const names = new Map<string, string>();
  for (const hunk of hunks) {
    const [now, was] = [onlyDefinition(hunk, 'after', after), onlyDefinition(hunk, 'before', before)];
    if (now === 'none' || now === 'other' || was === 'other') return null;
    if (was !== 'none' && was.title !== now.title) return null;
    names.set(now.title, now.name);
  }
  if (names.size === 0) return null;
  const known = new Set(before.forms.map((form) => titleOf(before.text, form)?.title));
  const added = [...names.keys()].every((title) => !known.has(title));
  const [only = ''] = names.values();
  const what = names.size > 1 ? `${names.size} definitions` : only.length > LONGEST_NAME ? '1 definition' : only;
  return added ? `Add ${what} to ${path}` : `Change ${what} in ${path}`;
}

interface Title {
  /** The operator and the name. */
  readonly title: string;
  readonly name: string;
}

function onlyDefinition(hunk: DiffHunk, side: 'before' | 'after', file: LispFile): Title | 'none' | 'other' {
  const touched = touchedForms(hunk, side, file);
  const [only] = touched;
  if (!only) return 'none';
  return (touched.length === 1 && titleOf(file.text, only)) || 'other';
}

function titleOf(text: string, form: Form): Title | null {
  const found = definitionIn(text, form);
  if (!found) return null;
  const name = found.name.replaceAll(/\s+/g, ' ');
  return { title: `${found.operator} ${name}`, name };
}
