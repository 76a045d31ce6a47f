import { expect, it } from 'vitest';
import { type HelpEntry, helpGroups, type HelpQuery } from './help-rows.ts';

const ENTRIES: HelpEntry[] = [
  { id: 'save', title: 'Save File', group: 'File', keys: 'Control+X Control+S', where: null },
  { id: 'evaluate', title: 'Evaluate Form', group: 'Evaluate', keys: 'Control+X Control+E', where: 'Editor' },
  { id: 'evaluate', title: 'Evaluate Form', group: 'Evaluate', keys: 'Ctrl+Enter', where: 'Editor' },
  { id: 'inspect', title: 'Inspect Value', group: 'Evaluate', keys: 'Control+C Shift+I', where: null },
  { id: 'expand', title: 'Expand a Macro', group: 'Evaluate', keys: 'Control+C Enter', where: null, missing: true },
];

const titles = (query: HelpQuery): string[] =>
  helpGroups(ENTRIES, ['Evaluate', 'File', 'Go'], query).flatMap(({ title, rows }) => [
    title,
    ...rows.map((row) => row.title),
  ]);

const press = (key: string, ctrlKey: boolean) => ({
  key,
  code: '',
  ctrlKey,
  altKey: false,
  metaKey: false,
  shiftKey: false,
});

it('Keys are listed in groups, several of a command in one row, groups without any left out', () => {
  const groups = helpGroups(ENTRIES, ['Evaluate', 'File', 'Go'], { text: '' });
  expect(groups.map(({ title, rows }) => [title, rows.length])).toEqual([
    ['Evaluate', 3],
    ['File', 1],
  ]);
  expect(groups[0]!.rows[0]!.keys.map(({ keys }) => keys)).toEqual(['Control+X Control+E', 'Ctrl+Enter']);
  expect(groups[0]!.rows.map(({ missing }) => missing)).toEqual([false, false, true]);
});

it.each<[string, string[]]>([
  ['save', ['File', 'Save File']],
  ['form eval', ['Evaluate', 'Evaluate Form']],
  ['ctrl+x', ['Evaluate', 'Evaluate Form', 'File', 'Save File']],
  ['C-x C-s', ['File', 'Save File']],
  ['C-x', ['Evaluate', 'Evaluate Form', 'File', 'Save File']],
  ['C-c i', []],
  ['C-c I', ['Evaluate', 'Inspect Value']],
  ['nothing of it', []],
])('Looking for %j finds by names and keys %j', (text, expected) => {
  expect(titles({ text })).toEqual(expected);
});

it('Pressed keys find what they mean and what they begin', () => {
  expect(titles({ pressed: [press('x', true)] })).toEqual(['Evaluate', 'Evaluate Form', 'File', 'Save File']);
  expect(titles({ pressed: [press('x', true), press('s', true)] })).toEqual(['File', 'Save File']);
  expect(titles({ pressed: [press('q', true)] })).toEqual([]);
});
