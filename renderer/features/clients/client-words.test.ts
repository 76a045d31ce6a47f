import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '#contract/clients/client.ts';
import { countsOf, endOf, inForce, metricsRows, pausedWords, stateOf } from './client-words.ts';

const client: ClientRecord = {
  id: 'client:codex',
  name: 'codex',
  createdAt: 0,
  lastSeenAt: null,
  connections: 0,
  hue: 1,
  mode: 'collaborate',
  profile: 'standard',
  protocol: null,
  ownImage: false,
  paused: null,
  calls: 0,
  failures: 0,
};
const rule = {
  id: 'granted-1',
  client: 'client:codex',
  words: 'write-file for a.lisp',
  grantedAt: 0,
  usedAt: 0,
  endsAt: 600_000,
  evaluation: null,
};

describe('clients in words', () => {
  it('The words for a client say whether it is connected and when it was seen [D14]', () => {
    const words = [{}, { connections: 1 }, { connections: 3 }, { lastSeenAt: 0 }].map((part) =>
      stateOf({ ...client, ...part }, 240_000),
    );
    expect(words).toEqual(['never connected', 'connected', '3 connections', 'seen 4 min ago']);
  });

  it('The words for a client count its calls [D14]', () => {
    expect([0, 1, 1200].map((calls) => countsOf({ ...client, calls, failures: calls > 1 ? 2 : 0 }))).toEqual([
      null,
      '1 call',
      '1,200 calls, 2 failed',
    ]);
  });
});

describe('rules that answer for the person', () => {
  it('Rules are listed while they hold, with when they end', () => {
    expect(inForce([rule, { ...rule, id: 'granted-2', endsAt: 100 }], 100)).toEqual([rule]);
    expect([endOf(rule, 30_000), endOf({ ...rule, evaluation: 'e1' }, 0)]).toEqual([
      'ends in 10 min unless it is used',
      'ends with its evaluation',
    ]);
  });
});

describe('metrics of tools', () => {
  const metrics = [
    { tool: 'read-file', calls: 4, failures: 1, totalMs: 4, totalBytes: 4000 },
    { tool: 'evaluate-lisp', calls: 2, failures: 1, totalMs: 20, totalBytes: 10 },
  ];
  it('Metrics of tools are means, in the order of a column [X33]', () => {
    expect(metricsRows(metrics, 'calls', false)).toEqual([
      { tool: 'read-file', calls: 4, failures: 1, time: 1, size: 1000 },
      { tool: 'evaluate-lisp', calls: 2, failures: 1, time: 10, size: 5 },
    ]);
    const first = (['tool', 'failures', 'time', 'size'] as const).map((by) => metricsRows(metrics, by, false)[0]!.tool);
    expect(first).toEqual(['evaluate-lisp', 'evaluate-lisp', 'evaluate-lisp', 'read-file']);
    expect(metricsRows(metrics, 'tool', true)[0]!.tool).toBe('read-file');
  });
});

describe('why a client is paused', () => {
  it.each([
    ['The person has paused this client. Wait until they resume it.', 'Paused by you.'],
    [
      'The person refused 3 times in a row, so this client is paused until the person resumes it. Ask the person what they want.',
      'Paused, because you refused 3 times in a row.',
    ],
    ['Something else.', 'Paused. Something else.'],
  ])('The reason why a client is paused is said to the person: %s [D14]', (reason, words) => {
    expect(pausedWords(reason)).toBe(words);
  });
});
