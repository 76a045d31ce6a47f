import { expect, it } from 'vitest';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { CheckpointRecord } from '#contract/image/session.ts';
import { checkpointBefore, standingEvents } from './way-back.ts';

const codex = { id: 'client:codex', kind: 'client' as const, name: 'codex' };
const checkpoint = (id: number, at: number, label: string): CheckpointRecord => ({
  id,
  at,
  label,
  actor: label.startsWith('before codex') ? codex : PERSON,
  memory: null,
});
const all = [
  checkpoint(1, 100, 'mine'),
  checkpoint(2, 205, 'before codex’s evaluation 1'),
  checkpoint(3, 400, 'before codex’s evaluation 2'),
];
const row = { at: 200, tookMs: 50, actor: codex, checkpoint: false, detail: '' };

it('The way to before a row is the checkpoint that was made for it, else the last one before [P4]', () => {
  expect([
    checkpointBefore(row, all)?.id,
    checkpointBefore({ ...row, actor: PERSON }, all)?.id,
    checkpointBefore({ ...row, at: 50, tookMs: 1 }, all)?.id,
    checkpointBefore({ ...row, at: 401, checkpoint: true, detail: 'before codex’s evaluation 2' }, all)?.id,
  ]).toEqual([2, 1, undefined, 3]);
});

it('The standing events are everything that an agent did and that still stands [P3]', () => {
  const entry = (id: number, actor: string, undoes: number | null = null): DefinitionEntry => ({
    id,
    actor,
    undoes,
    kind: 'function',
    name: `F${id}`,
    package: 'CL-USER',
    operation: 'defined',
    evaluation: 'e',
    time: id,
    source: null,
    hasText: true,
    life: 1,
    author: null,
    code: null,
    seen: false,
    reviewed: false,
  });
  const entries = [
    entry(5, 'person', 2),
    entry(4, codex.id),
    entry(3, 'person'),
    entry(2, codex.id),
    entry(1, codex.id),
  ];
  expect(standingEvents(entries, codex.id)).toEqual([4, 1]);
});
