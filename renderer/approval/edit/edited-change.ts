/** The change that an edited argument makes, as hunks. Pure. */
import { structuredPatch } from 'diff';
import type { ApprovalCard, CardChange, CardHunk, DiffLine } from '#contract/decisions/approval.ts';
import { toArea } from './edited.ts';

/** Milliseconds after which a comparison stops. The change is then not shown. */
const COMPARE_MS = 60;
const CONTEXT = 2;

/**
 * Compares the edited text with the passage that it replaces, or with the agent's text if the call names no passage. Returns null if the
 * card has no change, and if the texts cannot be compared in time.
 */
export function editedChange(
  card: Pick<ApprovalCard, 'change' | 'editable'> & { readonly arguments: readonly { name: string; value: string }[] },
  area: string,
): CardChange | null {
  const { change, editable } = card;
  const valueOf = (wanted: string | null): string | undefined =>
    card.arguments.find(({ name }) => name === wanted)?.value;
  const before = valueOf('original') ?? valueOf(editable);
  if (!change || before === undefined) return null;
  const patch = structuredPatch('', '', toArea(before), area, '', '', { context: CONTEXT, timeout: COMPARE_MS });
  if (!patch) return null;
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => hunkOf(oldStart, newStart, lines));
  const { files: _, ...one } = change;
  return { ...one, hunks, withoutDiff: null };
}

function hunkOf(before: number, after: number, lines: readonly string[]): CardHunk {
  const drawn = lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    if (line.startsWith('-')) return [{ kind: 'removed', text, before: before++, after: null }];
    if (line.startsWith('+')) return [{ kind: 'added', text, before: null, after: after++ }];
    // The note about a missing line end begins with a backslash.
    return line.startsWith(' ') ? [{ kind: 'same', text, before: before++, after: after++ }] : [];
  });
  const [first, last] = [drawn[0], drawn.at(-1)].map((line) => line?.after ?? line?.before ?? 1);
  return { lines: drawn, title: null, name: null, what: `Lines ${first} to ${last}`, evidence: null };
}
