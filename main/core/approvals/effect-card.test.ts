import { expect, it } from 'vitest';
import type { EffectRecord } from '#contract/effect.ts';
import { effectFacts } from './effect-card.ts';

const running: EffectRecord = {
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
  restarts: [],
  system: null,
  before: [],
  beforeTotal: 0,
};

it('G2 the headline of a long command has its beginning and its end, and the card all of it', () => {
  const { headline, effect } = effectFacts([running], (path) => path);
  expect(headline).toMatch(/^Run \/bin\/sh -c x+ … 4,8\d\d characters … x+; rm -rf \/p$/);
  expect(effect?.targets).toEqual([running.target]);
});
