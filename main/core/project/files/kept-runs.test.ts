import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { keptRuns, newKeptRun } from './kept-runs.ts';

it('The folders of the newest runs are kept, newest first', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'state-'));
  expect(keptRuns(state)).toEqual([]);
  const made = Array.from({ length: 23 }, (_, index) => newKeptRun(state, new Date(index * 1000)));
  expect(keptRuns(state)).toEqual(made.toReversed().slice(0, 20));
  rmSync(state, { recursive: true });
});
