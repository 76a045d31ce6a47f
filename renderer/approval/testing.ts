/** Sample cards for tests. */
import type { ApprovalCard, CardChange, DiffLine } from '#contract/decisions/approval.ts';

export function aCard(change: Partial<ApprovalCard> = {}): ApprovalCard {
  return {
    id: 'one',
    actor: { id: 'client:a', kind: 'client', name: 'claude-code' },
    tool: 'write-file',
    level: 'dangerous',
    requestedAt: 0,
    deadline: 300_000,
    headline: 'Write 4 bytes to a.lisp',
    configures: null,
    facts: {
      target: null,
      level: { word: 'Dangerous', why: null, danger: null },
      undo: { reversible: true, verdict: 'Reversible', why: 'the file is new and can be deleted' },
      checked: null,
      known: [],
    },
    arguments: [
      { name: 'path', value: 'a.lisp', place: 'line', size: '6 bytes' },
      { name: 'content', value: '(a)\n', place: 'change', size: '4 bytes' },
    ],
    editable: 'content',
    change: null,
    choosable: false,
    effect: null,
    proposal: null,
    sections: [],
    scopes: [],
    choices: [],
    claim: null,
    rule: 'Asked because write-file is a dangerous tool and this client is in collaborate mode.',
    reason: null,
    fingerprint: 'f',
    state: 'waiting',
    notice: null,
    abandoned: false,
    ...change,
  };
}

/**
 * Creates a change from hunks. Each hunk has lines such as `-removed`, `+added` and ` same`, and the numbers of its first line before and
 * after the change.
 */
export function aChange(
  hunks: readonly { before: number; after: number; lines: readonly string[] }[],
  facts: Partial<CardChange> = {},
): CardChange {
  return {
    path: 'a.lisp',
    absolutePath: '/project/a.lisp',
    bytesBefore: 10,
    bytesAfter: 20,
    hunks: hunks.map(({ before, after, lines }) => ({
      lines: numbered(before, after, lines),
      title: null,
      name: null,
      what: 'Lines',
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
