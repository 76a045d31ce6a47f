import { expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { effectFacts } from './card.ts';
import { anEffect } from './effect.fixture.ts';

const runningRecord = anEffect({ target: `/bin/sh -c ${'x'.repeat(5000)}; rm -rf /p` });

const THREAD = { name: 'thread', value: 'worker' };

it('The headline of a long command has its beginning and its end, and the card has all of it [G2]', () => {
  const { headline, effect } = effectFacts([runningRecord], (path) => path);
  expect(headline).toMatch(/^Run \/bin\/sh -c x+ … 4,8\d\d characters … x+; rm -rf \/p$/);
  expect(effect?.targets).toEqual([{ text: runningRecord.target, difference: '' }]);
});

it('A frame says where it runs: the line of its file, or which form of the evaluation [G2]', () => {
  const place = { offset: null, evaluation: null, form: null, path: [], toplevelForm: 1, changed: null };
  const running = { text: '(f)', offset: 9, start: 0, end: 3, line: 11 };
  const frames: Effect<'waiting'>['frames'] = [
    { call: '(A)', source: { ...place, file: '/p/a.lisp', line: null, running }, form: null },
    { call: '(B)', source: { ...place, file: '/p/a.lisp', line: 7, running: null }, form: null },
    { call: '(C)', source: { ...place, file: '/p/c.lisp', line: null, running: null }, form: null },
    { call: '(EVAL (A))', source: null, form: { number: 1, total: 2 } },
  ];
  const { effect } = effectFacts([{ ...runningRecord, frames }], (path) => path.replace('/p/', ''));
  expect(effect?.frames.map(({ place: where, source }) => [where, source])).toEqual([
    ['a.lisp:11', { file: '/p/a.lisp', line: 11 }],
    ['a.lisp:7', { file: '/p/a.lisp', line: 7 }],
    ['c.lisp', null],
    ['form 1 of 2', null],
  ]);
});

const writing: Effect<'waiting'> = { ...runningRecord, kind: 'write', operator: 'OPEN', target: '/p/a', path: '/p/a' };

it('The card of effects on a file that configures programs warns, and never promises that it is for the whole load', () => {
  const path = '/p/.envrc';
  const loading: Effect<'waiting'> = { ...writing, target: path, path, system: 'shop', systemFile: '/p/shop.asd' };
  expect(effectFacts([loading], (name) => name, null, 'A shell runs it.')).toMatchObject({
    headline: 'System shop wants to write to /p/.envrc',
    configures: 'A shell runs it.',
  });
  expect(effectFacts([loading], (name) => name)).toMatchObject({
    headline: expect.stringMatching(/and may do more while it is loaded$/) as string,
    configures: null,
  });
});

it('An open pipe or socket is called that, and not a file', () => {
  const path = '/proc/1234/fd/socket:[5678]';
  const { headline } = effectFacts(
    [{ ...writing, target: path, path, change: 'new file', facts: [{ name: 'change', value: 'new file' }] }],
    (name) => name,
  );
  expect(headline).toBe('Write to an open pipe or socket of this image (socket:[5678]), not a file');
});

it('Several effects have what they share as facts, and each target what is true of it alone', () => {
  const one: Effect<'waiting'> = {
    ...writing,
    facts: [
      { name: 'change', value: 'overwrites' },
      { name: 'size', value: '3' },
    ],
  };
  const other: Effect<'waiting'> = {
    ...one,
    effect: 'e2',
    target: '/p/b',
    path: '/p/b',
    facts: [
      { name: 'change', value: 'overwrites' },
      { name: 'size', value: '3200' },
    ],
  };
  expect(effectFacts([one, other], (name) => name).effect).toMatchObject({
    facts: [{ name: 'change', value: 'overwrites' }, THREAD],
    targets: [
      { text: '/p/a', difference: 'size 3' },
      { text: '/p/b', difference: 'size 3200' },
    ],
  });
});

it('A system that code made in memory is called that, and a program of it is not said to be for the whole load', () => {
  const { headline, effect } = effectFacts([{ ...runningRecord, target: '/bin/ls', system: 'made' }], (name) => name);
  expect(headline).toBe('System made, which code defined in memory, wants to run /bin/ls');
  expect(effect?.facts).toContainEqual({
    name: 'system',
    value: 'made (defined at run time, not in a file)',
  });
});
