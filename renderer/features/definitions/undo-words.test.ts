import { describe, expect, it } from 'vitest';
import type { UndoRecord } from '#contract/image/definition.ts';
import { exportedWords } from './export-words.ts';
import { outcomeWords, undoName, undoWords } from './undo-words.ts';

const record = (more: Partial<UndoRecord>): UndoRecord => ({
  id: 1,
  name: 'AREA',
  kind: 'function',
  package: 'SHOP',
  label: 'exact',
  why: null,
  callers: [],
  instances: null,
  changedSince: null,
  done: false,
  message: null,
  event: null,
  ...more,
});

describe('words before an undo', () => {
  it.each([
    ['exact', {}, { kind: 'exact', text: 'Exact.' }],
    [
      'exact for what is compiled from now on',
      { why: 'Code that was compiled with the type keeps using it.' },
      { kind: 'exact', text: 'Exact. Code that was compiled with the type keeps using it.' },
    ],
    [
      'exact after recompiling',
      { label: 'recompile', callers: ['VOLUME', 'DEPTH'] },
      { kind: 'exact', text: 'Exact after recompiling 2 callers: volume, depth.' },
    ],
    [
      'with a loss',
      { label: 'lossy', instances: 1, why: 'Instances become unusable.' },
      { kind: 'loss', text: 'Loses data: 1 instance exists. Instances become unusable.' },
    ],
    [
      'not at all',
      { label: 'impossible', why: 'It is too long ago.', name: null },
      { kind: 'impossible', text: 'Cannot be undone. It is too long ago.' },
    ],
    [
      'with what came later',
      { changedSince: { event: 7, actor: 'person' } },
      { kind: 'exact', text: 'Exact. A later change is undone too.' },
    ],
  ] as const)('The words before an undo say what it can and cannot do: %s [P3]', (_what, more, expected) => {
    expect(undoWords(record(more as Partial<UndoRecord>))).toEqual(expected);
  });
});

it('The words after an undo tell what it did, and what it left [P3]', () => {
  const outcomes = [
    [record({ done: true }), record({ done: true, name: 'VOLUME' })],
    [record({ done: true, message: 'Still compiled with the undone definition: F.' })],
    [record({ label: 'impossible', why: 'It is too long ago.', name: null, id: 9 })],
    [record({ done: true }), record({ name: 'VOLUME', message: 'The name is locked.' })],
  ];
  expect(outcomes.map(outcomeWords)).toEqual([
    { text: 'Undone: area, volume.', failed: false },
    { text: 'Undone: area. Still compiled with the undone definition: F.', failed: false },
    { text: 'Nothing was undone. Could not undo event 9: It is too long ago.', failed: true },
    { text: 'Undone: area. Could not undo volume: The name is locked.', failed: true },
  ]);
  expect(undoName(record({ name: '|Mixed|' }))).toBe('|Mixed|');
});

it('The words after an export tell what it holds and lacks [P5]', () => {
  expect([
    exportedWords(0, [], null),
    exportedWords(1, [], '/home/me/shop.lisp'),
    exportedWords(12, ['A', 'B', 'C', 'D', 'E', 'F'], '/shop.lisp'),
  ]).toEqual([
    'There is nothing to export, because nothing was evaluated here.',
    '1 form is in shop.lisp.',
    '12 forms are in shop.lisp. The source text of a, b, c, d, e and 1 more is unknown.',
  ]);
});
