/** Names the hunks of a change for its card: by the affected definitions, or by their lines. Pure. */
import type { CardChange, CardHunk, DiffHunk, DiffLine, TextChange } from '#contract/decisions/approval.ts';
import { DEFINING_OPERATORS, kindInWords } from '#contract/image/operators.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';
import { oneLine } from '#contract/text/text.ts';
import { changedForms, isLispPath, lineAt, type LispFile, readLisp } from './lisp-file.ts';

/** The maximum file size in bytes for named definitions. Reading a larger file would take too long for a card. */
const LARGEST_NAMED = 500_000;

/** Returns the change with its hunks named; `after` is the whole new text. */
export function namedChange(change: TextChange, after: string): CardChange {
  const isNamed =
    isLispPath(change.path) && Math.max(change.bytesBefore ?? 0, change.bytesAfter) <= LARGEST_NAMED && change.hunks[0];
  const file = isNamed ? readLisp(after) : null;
  const hunks = change.hunks.map((hunk) => ({ ...hunk, ...nameOf(hunk, file), evidence: null }));
  return { ...change, hunks };
}

function nameOf(hunk: DiffHunk, file: LispFile | null): Pick<CardHunk, 'title' | 'name' | 'what'> {
  const lines = { title: null, name: null, what: linesInWords(hunk.lines) };
  if (file === null) return lines;
  const named = changedForms(hunk, file).flatMap((form) => {
    const definition = definitionIn(file.text, form);
    return definition ? [{ form, ...definition }] : [];
  });
  const [first, ...others] = named;
  if (!first) {
    const gone = removedDefinition(hunk.lines);
    return gone ? { title: null, name: oneLine(gone.name), what: `removed ${definedInWords(gone.operator)}` } : lines;
  }
  const name = oneLine(first.name);
  const kind = `${isNew(first.form, hunk.lines, file) ? 'new ' : ''}${definedInWords(first.operator)}`;
  return others.length > 0
    ? { title: null, name, what: `${kind} and ${others.length} more` }
    : { title: `${first.operator} ${name}`, name, what: kind };
}

/** Returns true if all lines of the form were added, and no removed line began a definition. */
function isNew(form: Form, lines: readonly DiffLine[], file: LispFile): boolean {
  const added = new Set(lines.flatMap(({ kind, after }) => (kind === 'added' ? [after] : [])));
  const last = lineAt(file, form.end - 1);
  for (let line = lineAt(file, form.start); line <= last; line += 1) if (!added.has(line)) return false;
  return !lines.some(({ kind, text }) => kind === 'removed' && text.startsWith('(def'));
}

/** Returns the first definition that occurs only in the removed lines. */
function removedDefinition(lines: readonly DiffLine[]): { operator: string; name: string } | null {
  const text = lines.flatMap(({ kind, text: line }) => (kind === 'removed' ? [line] : [])).join('\n');
  for (const form of readText(text).forms) {
    const definition = form.closed ? definitionIn(text, form) : null;
    if (definition) return definition;
  }
  return null;
}

/**
 * Returns the kind of definition that an operator creates, or the operator itself. Includes `defsystem`, although it does not define
 * anything in the image.
 */
function definedInWords(operator: string): string {
  return operator === 'defsystem' ? 'system' : kindInWords(DEFINING_OPERATORS[operator] ?? operator);
}

function linesInWords(lines: readonly DiffLine[]): string {
  const numbers = lines.flatMap(({ before, after }) => after ?? before ?? []);
  const [first, last] = [Math.min(...numbers.slice(0, 1)), Math.max(...numbers.slice(-1))];
  return first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
}
