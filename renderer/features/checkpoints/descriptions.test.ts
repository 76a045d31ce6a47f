import { describe, expect, it } from 'vitest';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { backInWords, changesByActor, checkpointCount, checkpointFacts, someNames } from './descriptions.ts';

const entry = (id: number, name: string, actor: string | null): DefinitionEntry => ({
  id,
  kind: 'function',
  name,
  package: 'SHOP',
  operation: 'defined',
  actor,
  evaluation: 'e',
  time: id,
  source: null,
  hasText: true,
  undoes: null,
  life: 1,
  author: null,
  code: null,
  seen: false,
  reviewed: false,
});

describe('checkpoints in words', () => {
  it('The words for checkpoints count them', () => {
    expect([0, 1, 7].map(checkpointCount)).toEqual(['no checkpoints', '1 checkpoint', '7 checkpoints']);
  });

  it('The words for a checkpoint say who, when and how much', () => {
    const checkpoint = { id: 1, at: 0, label: 'mine', memory: 3_300_000 };
    expect([
      checkpointFacts({ ...checkpoint, actor: { id: 'person', kind: 'person', name: 'you' } }, 240_000),
      checkpointFacts({ ...checkpoint, actor: { id: 'client:1', kind: 'client', name: 'codex' }, memory: null }, 0),
      checkpointFacts({ ...checkpoint, actor: { id: 'client:1', kind: 'client', name: 'codex' }, memory: 2e9 }, 0),
    ]).toEqual(['you · 4 min ago · 3.1 MB', 'codex · just now', 'codex · just now · 1,907 MB']);
  });

  it('The words for going back tell what it undoes by who did it, each name once, the person first', () => {
    const entries = [entry(4, 'AREA', 'client:1'), entry(3, '|Odd|', 'person'), entry(2, 'AREA', 'client:1')];
    expect(changesByActor([...entries, entry(1, 'TICK', null)])).toEqual([
      { actor: 'person', names: ['|Odd|'] },
      { actor: 'client:1', names: ['area'] },
      { actor: null, names: ['tick'] },
    ]);
  });

  it('A list of names shows some and counts the rest', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    expect([['a'], ['a', 'b', 'c'], many].map(someNames)).toEqual([
      { shown: 'a', more: '' },
      { shown: 'a, b, c', more: '' },
      { shown: 'a, b, c, d, e, f, g, h', more: ' and 2 more' },
    ]);
  });

  it('The words after going back tell what came back and what did not', () => {
    expect([backInWords('mine', []), backInWords('mine', ['1 pipe that was open can no longer be used.'])]).toEqual([
      'The image is back at “mine”.',
      'The image is back at “mine”. Not restored: 1 pipe that was open can no longer be used.',
    ]);
  });
});
