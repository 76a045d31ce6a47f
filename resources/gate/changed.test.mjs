import { expect, it } from 'vitest';
import { affectedBy } from './changed.mjs';

const STORIES = [
  'e2e/trace.spec.ts',
  'e2e/debugger.spec.ts',
  'e2e/debugger-restarts.spec.ts',
  'e2e/files.spec.ts',
  'e2e/file-tree.spec.ts',
];

it('A change of a feature affects the tests that import it and the stories that are named like it [issue 36.4]', () => {
  expect(affectedBy(['renderer/features/debugger/commands.ts', 'renderer/features/files/panel.tsx'], STORIES)).toEqual({
    sources: ['renderer/features/debugger/commands.ts', 'renderer/features/files/panel.tsx'],
    tests: [],
    lisp: false,
    stories: ['e2e/debugger-restarts.spec.ts', 'e2e/debugger.spec.ts', 'e2e/file-tree.spec.ts', 'e2e/files.spec.ts'],
  });
});

it('A change of the engine affects its own tests and those of the same room over the wire [issue 36.4]', () => {
  expect(affectedBy(['lisp/effects/table.lisp', 'lisp/tests/json.lisp', 'docs/security.md'], STORIES)).toEqual({
    sources: [],
    tests: ['lisp/tests/wire/effects'],
    lisp: true,
    stories: [],
  });
});

it('A changed story is run itself [issue 36.4]', () => {
  expect(affectedBy(['e2e/trace.spec.ts'], STORIES)).toMatchObject({ sources: [], stories: ['e2e/trace.spec.ts'] });
});
