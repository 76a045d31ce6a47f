import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../base/image/transcript.ts';
import { entriesOf, transcriptRows } from './agent-runs.ts';

const entry = (evaluation: string, who: 'you' | 'codex' | 'claude'): Entry => ({
  evaluation,
  agent: who === 'you' ? null : { actor: { id: `client:${who}`, kind: 'client', name: who }, tool: 'evaluate-lisp' },
  origin: who === 'you' ? 'repl' : 'agent',
  code: '1',
  package: 'COMMON-LISP-USER',
  at: 1,
  place: null,
  report: null,
});
const ENTRIES = [
  entry('1', 'codex'),
  entry('2', 'codex'),
  entry('3', 'you'),
  entry('4', 'claude'),
  entry('5', 'codex'),
  entry('6', 'codex'),
];
const outline = (entries: readonly Entry[], foldsRuns = false, folds: Readonly<Record<string, boolean>> = {}): string =>
  transcriptRows(entries, foldsRuns, new Map(Object.entries(folds)))
    .map((row) =>
      row.kind === 'entry' ? row.id : `${row.actor.name}(${row.entries.length})${row.isFolded ? '+' : '-'}`,
    )
    .join(' ');

describe('runs of agents in a transcript', () => {
  it('Only consecutive entries of the same agent are a run, which has a head if there are several [issue 39.3]', () => {
    expect(outline(ENTRIES)).toBe('codex(2)- 1 2 3 4 codex(2)- 5 6');
  });

  it('All runs fold, also those of a single entry, and never the entries of the person [issue 39.3]', () => {
    expect(outline(ENTRIES, true)).toBe('codex(2)+ 3 claude(1)+ codex(2)+');
  });

  it('A run that the person has folded or opened stays so while it grows [issue 39.3]', () => {
    expect(outline([...ENTRIES, entry('7', 'codex')], false, { 'run 5': true })).toBe('codex(2)- 1 2 3 4 codex(3)+');
    expect(outline(ENTRIES, true, { 'run 4': false })).toBe('codex(2)+ 3 claude(1)- 4 codex(2)+');
  });

  it.each([
    ['everyone', '1 2 3 4 5 6'],
    ['mine', '3'],
    ['agents', '1 2 4 5 6'],
  ] as const)('The filter %s leaves the entries %s [issue 39.3]', (whose, expected) => {
    expect(
      entriesOf(ENTRIES, whose)
        .map(({ evaluation }) => evaluation)
        .join(' '),
    ).toBe(expected);
  });
});
