/** An argument that a person edits before approving. Pure. */
import { counted } from '#contract/text/text.ts';
import { diffArrays } from 'diff';
import type { ApprovalCard } from '#contract/decisions/approval.ts';

/** The line ends of a text before it is edited in a text area. Editing a `mixed` text loses its original line ends. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

/** Returns the text as a text area stores it, with a line feed as each line end. */
export function toArea(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Converts the text area's content back to an argument. Returns `original` itself if nothing changed. */
export function fromArea(area: string, original: string): string {
  if (area === toArea(original)) return original;
  return lineEndsOf(original) === 'crlf' ? area.replaceAll('\n', '\r\n') : area;
}

/** Returns the arguments of the call, with the editable one replaced by the text of `area`. */
export function editedArguments(
  card: Pick<ApprovalCard, 'editable'> & { readonly arguments: readonly { name: string; value: string }[] },
  area: string,
): Record<string, unknown> {
  return Object.fromEntries(
    card.arguments.map(({ name, value }) => [name, name === card.editable ? fromArea(area, value) : value]),
  );
}

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Milliseconds after which a comparison stops. All lines between the first and the last difference then count as changed. */
const COMPARE_MS = 60;

/** Counts the lines that the person added to and removed from the agent's text. */
export function changedLines(original: string, area: string): ChangedLines {
  const before = toArea(original).split('\n');
  const after = area.split('\n');
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const left = before.slice(start, before.length - end);
  const right = after.slice(start, after.length - end);
  const parts = left.length > 0 && right.length > 0 ? diffArrays(left, right, { timeout: COMPARE_MS }) : undefined;
  if (!parts) return { added: right.length, removed: left.length };
  const sum = (kind: 'added' | 'removed'): number =>
    parts.filter((part) => part[kind]).reduce((total, { value }) => total + value.length, 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** Returns text such as "3 lines changed, 1 added". A removed line together with an added line counts as one changed line. */
export function changedWords({ added, removed }: ChangedLines): string {
  const changed = Math.min(added, removed);
  const said = [
    changed > 0 ? `${lines(changed)} changed` : '',
    added > changed ? `${lines(added - changed)} added` : '',
    removed > changed ? `${lines(removed - changed)} removed` : '',
  ].filter(Boolean);
  return said.length > 0 ? said.join(', ') : 'Nothing is changed yet.';
}

function lines(count: number): string {
  return counted(count, 'line');
}
