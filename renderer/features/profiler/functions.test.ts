import { expect, it } from 'vitest';
import type { ProfileResult } from '#contract/image/observation/profiling.ts';
import { functionRows, type Order } from './functions.ts';

const result: ProfileResult = {
  samples: 10,
  elapsedMs: 50,
  stacks: [],
  other: 0,
  functions: [
    { name: 'SEND', self: 6, total: 6, selfPercent: 60, source: null },
    { name: 'PARSE', self: 4, total: 4, selfPercent: 40, source: null },
    { name: 'form', self: 0, total: 10, selfPercent: 0, source: null },
    { name: 'SERVE', self: 0, total: 10, selfPercent: 0, source: null },
  ],
  functionsTotal: 4,
  valueText: 'NIL',
};

it('A table lists the functions of a profile by the column of choice [D11]', () => {
  const names = (order: Order, filter = ''): string[] =>
    functionRows(result, { order, filter }).map(({ name }) => name);
  expect(names('self')).toEqual(['SEND', 'PARSE', 'form', 'SERVE']);
  expect(names('total')).toEqual(['form', 'SERVE', 'SEND', 'PARSE']);
  expect(names('name')).toEqual(['form', 'PARSE', 'SEND', 'SERVE']);
  expect(names('self', 'se')).toEqual(['SEND', 'PARSE', 'SERVE']);
  expect(functionRows(result, { order: 'self', filter: 'send' })).toEqual([
    expect.objectContaining({ label: 'SEND, 60.0 % · 6, 60.0 % · 6', position: 1, siblings: 1 }),
  ]);
});
