import { expect, it } from 'vitest';
import type { DefinitionEntry, DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { browserRows } from '../definition-rows.ts';
import { authorWords, countWaiting, waitingOf, withRemoved } from './review.ts';

const record = (name: string, actor: string | null, file: string | null = null): DefinitionRecord => ({
  kind: 'function',
  name,
  lambdaList: null,
  value: null,
  documentation: null,
  source: file === null ? null : { file, offset: null, line: null },
  actor,
  event: 1,
  evaluation: 'e',
  time: 0,
});
const entry = (id: number, name: string, more: Partial<DefinitionEntry> = {}): DefinitionEntry => ({
  id,
  kind: 'function',
  name,
  package: 'SHOP',
  operation: 'defined',
  actor: 'client:a',
  evaluation: 'e',
  time: 0,
  source: null,
  hasText: true,
  undoes: null,
  life: 1,
  author: null,
  code: null,
  seen: false,
  reviewed: false,
  ...more,
});
const shop: PackageDefinitions = {
  package: 'SHOP',
  more: 0,
  definitions: [record('AREA', 'client:a'), record('SEEN', 'client:a'), record('MINE', 'person')],
};
const known = new Map([[shop.package, shop]]);
const waiting = waitingOf([
  entry(4, 'GONE', { operation: 'removed' }),
  entry(3, 'SHOP', { kind: 'package', package: null }),
  entry(2, 'AREA'),
]);

it('The review lists only what agents did and nobody has looked at, what they removed too [D8, P2]', () => {
  const listed = withRemoved(known, waiting);
  const { rows, count } = browserRows(
    listed,
    { text: '', kind: null, byAgents: false, waiting, among: null },
    () => true,
  );
  expect([rows.map(({ label }) => label), count, countWaiting(listed, waiting)]).toEqual([
    ['SHOP', 'area', 'gone'],
    2,
    2,
  ]);
  expect(known.get('SHOP')).toBe(shop);
});

it('The author of a definition is said where that is not the file [D8, P2]', () => {
  const clients = [{ id: 'client:a', name: 'codex' }] as never;
  expect([
    authorWords(record('F', null), undefined, clients),
    authorWords(record('F', 'person', '/p/f.lisp'), undefined, clients),
    authorWords(record('F', 'person', 'untitled-1'), undefined, clients),
    authorWords(record('F', 'client:a'), undefined, clients),
    authorWords(record('F', 'client:a'), entry(1, 'F'), clients),
    authorWords(record('F', 'client:a'), entry(1, 'F', { operation: 'removed' }), clients),
    authorWords(record('F', 'person'), entry(1, 'F', { actor: 'person', author: 'client:a' }), clients),
  ]).toEqual([
    undefined,
    undefined,
    'by you',
    'by codex',
    'by codex, not reviewed',
    'removed by codex, not reviewed',
    'by codex, not reviewed',
  ]);
});
