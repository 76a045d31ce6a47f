/** A card to test with. */
import type { ApprovalCard, DiffLine, TextChange } from '#contract/approval.ts';

export function aCard(change: Partial<ApprovalCard> = {}): ApprovalCard {
  return {
    id: 'one',
    actor: { id: 'client:a', kind: 'client', name: 'claude-code' },
    tool: 'write_file',
    level: 'dangerous',
    requestedAt: 0,
    deadline: 300_000,
    headline: 'Write 4 bytes to a.lisp',
    arguments: [
      { name: 'path', value: 'a.lisp' },
      { name: 'content', value: '(a)\n' },
    ],
    editable: 'content',
    change: null,
    choosable: false,
    effect: null,
    target: null,
    checked: null,
    scopes: [],
    reversible: 'Reversible: the file is new and can be deleted',
    claim: null,
    rule: 'Asked because write_file is a dangerous tool and this client is in collaborate mode.',
    reason: null,
    fingerprint: 'f',
    state: 'waiting',
    notice: null,
    abandoned: false,
    ...change,
  };
}

/** Hunks as `-removed`, `+added` and ` same` lines, each with the numbers that it begins at. */
export function aChange(
  hunks: readonly { before: number; after: number; lines: readonly string[] }[],
  facts: Partial<TextChange> = {},
): TextChange {
  return {
    path: 'a.lisp',
    absolutePath: '/project/a.lisp',
    bytesBefore: 10,
    bytesAfter: 20,
    hunks: hunks.map(({ before, after, lines }) => ({
      lines: numbered(before, after, lines),
      title: null,
      evidence: null,
    })),
    added: 0,
    removed: 0,
    withoutDiff: null,
    ...facts,
  };
}

function numbered(before: number, after: number, lines: readonly string[]): DiffLine[] {
  return lines.map((line) => {
    const kind: DiffLine['kind'] = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
    return {
      kind,
      text: line.slice(1),
      before: kind === 'added' ? null : before++,
      after: kind === 'removed' ? null : after++,
    };
  });
}
