import { expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import type { ThreadRecord } from '#contract/image/observation/profiling.ts';
import { canEnd, sharesBetween, threadRows, workOf } from './thread-rows.ts';

const code: ThreadRecord = {
  id: 7,
  name: 'poller',
  alive: true,
  state: 'running',
  main: false,
  ours: false,
  evaluation: 'e1',
  cpuMs: 3400,
};
const worker: ThreadRecord = { ...code, id: 5, name: 'lisp-workbench worker', state: 'sleeping', ours: true };
const control: ThreadRecord = { ...worker, id: 1, name: 'main thread', main: true, evaluation: null, cpuMs: null };

const agent = { id: 'client:c', kind: 'client', name: 'claude-code' } as const;
const person = { id: 'person', kind: 'person', name: 'you' } as const;
const underway = { evaluation: 'e1', actor: agent, summary: '(loop)', startedAt: 0 };
const base = { at: 0, session: 's', parent: null };
const events: ActivityEvent[] = [
  {
    ...base,
    seq: 1,
    actor: agent,
    kind: 'call-started',
    call: 'e1',
    tool: 'evaluate-lisp',
    level: 'cautious',
    summary: '(loop)',
  },
  { ...base, seq: 2, actor: person, kind: 'evaluation-started', evaluation: 'e2', code: '(serve)', origin: 'repl' },
];

it('A thread is told with the evaluation that it works for, and whose that is, also once that has ended [D11]', () => {
  const idle = { running: null, overtaken: null, suspended: [] };
  expect([
    workOf('e1', { running: underway, overtaken: null, suspended: [] }, events),
    workOf('e1', { running: null, overtaken: underway, suspended: [] }, events),
    workOf('e1', { running: null, overtaken: null, suspended: [underway] }, events),
    workOf('e1', idle, events),
    workOf('e2', idle, events),
    workOf('e3', idle, events),
  ]).toEqual([
    { evaluation: 'e1', actor: agent, code: '(loop)', state: 'runs' },
    { evaluation: 'e1', actor: agent, code: '(loop)', state: 'runs' },
    { evaluation: 'e1', actor: agent, code: '(loop)', state: 'waits' },
    { evaluation: 'e1', actor: agent, code: '(loop)', state: 'ended' },
    { evaluation: 'e2', actor: person, code: '(serve)', state: 'ended' },
    null,
  ]);
});

it('Threads of code and those that evaluate stand before those of the engine, which are folded [D11]', () => {
  const workFor = (evaluation: string) =>
    workOf(evaluation, { running: null, overtaken: null, suspended: [underway] }, events);
  const rows = (opened: boolean) =>
    threadRows([control, worker, code], { shares: new Map([[7, 0.987]]), opened, workFor }).map(
      ({ label, level, position, siblings }) => `${level} ${position}/${siblings} ${label}`,
    );
  const shown = [
    '1 1/3 lisp-workbench worker, suspended, (loop), 3.4 s, by claude-code',
    '1 2/3 poller, running, (loop), 99 % · 3.4 s, by claude-code',
    '1 3/3 1 thread of Lisp Workbench and SBCL',
  ];
  expect([rows(false), rows(true)]).toEqual([shown, [...shown, '2 1/1 main thread, sleeping']]);
});

it('Only threads of code that still run can be ended [D11]', () => {
  expect([code, worker, { ...code, alive: false }, { ...code, id: null }].map(canEnd)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('The share of a thread in a processor is that since the list before [D11]', () => {
  const now = [{ ...code, cpuMs: 3900 }, { ...code, id: 8, cpuMs: 10 }, control];
  expect([[...sharesBetween([code, control], now, 1000)], [...sharesBetween([code], now, 0)]]).toEqual([
    [[7, 0.5]],
    [],
  ]);
});
