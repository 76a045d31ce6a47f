import { expect, it } from 'vitest';
import type { EffectRecord } from '#contract/effect.ts';
import { effectFacts } from './effect-card.ts';

const runningRecord: EffectRecord = {
  effect: 'e1',
  evaluation: 'v1',
  actor: 'client:codex',
  thread: 'worker',
  ownThread: true,
  kind: 'run-program',
  operator: 'SB-EXT:RUN-PROGRAM',
  target: `/bin/sh -c ${'x'.repeat(5000)}; rm -rf /p`,
  path: null,
  otherPath: null,
  facts: [],
  frames: [],
  innerFrames: [],
  restarts: [],
  system: null,
  before: [],
  beforeTotal: 0,
};

it('G2 the headline of a long command has its beginning and its end, and the card all of it', () => {
  const { headline, effect } = effectFacts([runningRecord], (path) => path);
  expect(headline).toMatch(/^Run \/bin\/sh -c x+ … 4,8\d\d characters … x+; rm -rf \/p$/);
  expect(effect?.targets).toEqual([runningRecord.target]);
});

it('G2 a frame says where it runs: the line of its file, or which form of the evaluation', () => {
  const place = { offset: null, evaluation: null, form: null, path: [], toplevelForm: 1 };
  const running = { text: '(f)', offset: 9, start: 0, end: 3, line: 11 };
  const frames: EffectRecord['frames'] = [
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
