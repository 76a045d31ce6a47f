import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { recall, remember } from '../../features/repl/input/history.ts';
import {
  addAgentEntry,
  beginEntry,
  type Beginning,
  clearEntries,
  clearLastOutput,
  lastWithOutput,
  type Entry,
  finishEntry,
  withAgentsAtWork,
} from './transcript.ts';

const beginning = (evaluation: string): Beginning => ({
  evaluation,
  code: `(${evaluation})`,
  origin: 'repl',
  package: 'CL-USER',
  at: 0,
  place: null,
});
const report = (evaluation: string): EvaluationReport => ({
  evaluation,
  status: 'ok',
  values: [],
  warnings: [],
  condition: null,
  package: 'CL-USER',
  formCount: 1,
  timing: { realMs: 1, runMs: 1, gcMs: 0, bytesConsed: 0 },
  outputCut: 0,
  effects: [],
  effectsMore: 0,
});
const ids = (entries: readonly Entry[]): string[] =>
  entries.map((entry) => `${entry.evaluation}${entry.report ? '' : '…'}`);

describe('transcript', () => {
  it('The transcript keeps the newest entries, and all that still run [D5]', () => {
    let entries: Entry[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      entries = beginEntry(entries, beginning(id), 3);
      if (id !== 'a') entries = finishEntry(entries, id, report(id));
    }
    expect(ids(entries)).toEqual(['a…', 'd', 'e']);
  });

  it('The transcript shows what agents run and have waiting after the entries, once each [D5]', () => {
    const codex = { id: 'client:1', kind: 'client', name: 'codex' } as const;
    const person = { id: 'person', kind: 'person', name: 'you' } as const;
    const of = (evaluation: string, actor: typeof codex | typeof person) => ({
      evaluation,
      actor,
      summary: `(${evaluation})`,
      startedAt: 1,
    });
    const entries = beginEntry([], beginning('mine'));
    const session = {
      suspended: [of('suspended', codex)],
      running: of('mine', person),
      overtaken: null,
      waiting: [of('queued', codex), of('mine-too', person)],
      package: 'CL-USER',
    };
    const shown = withAgentsAtWork(entries, session, []);
    expect(ids(shown)).toEqual(['mine…', 'suspended…', 'queued…']);
    const ended = addAgentEntry(entries, {
      actor: codex,
      tool: 'evaluate-lisp',
      code: '',
      at: 2,
      report: report('suspended'),
    });
    expect(ids(withAgentsAtWork(ended, session, [{ evaluation: 'queued' }]))).toEqual(['mine…', 'suspended']);
  });

  it('The transcript shows what an agent was answered before the person began something above that, however late it is told [D5]', () => {
    const codex = { id: 'client:1', kind: 'client', name: 'codex' } as const;
    const told = (entries: Entry[], evaluation: string, at: number): Entry[] =>
      addAgentEntry(entries, { actor: codex, tool: 'evaluate-lisp', code: '', at, report: report(evaluation) });
    let entries = beginEntry([], { ...beginning('first'), at: 10 });
    entries = told(entries, 'while-it-ran', 20);
    entries = beginEntry(entries, { ...beginning('second'), at: 30 });
    entries = told(told(entries, 'late', 25), 'later', 26);
    expect(ids(entries)).toEqual(['first…', 'while-it-ran', 'late', 'later', 'second…']);
    expect(ids(told(entries, 'now', 40)).at(-1)).toBe('now');
  });

  it('What the last evaluation of the person printed is cleared, then that of the one before; what runs and what agents printed stays [D5]', () => {
    const ended = (entries: Entry[], id: string): Entry[] =>
      finishEntry(beginEntry(entries, beginning(id)), id, report(id));
    const codex = { id: 'client:1', kind: 'client', name: 'codex' } as const;
    let entries = ended(ended([], 'a'), 'b');
    entries = addAgentEntry(entries, { actor: codex, tool: 'evaluate-lisp', code: '', at: 9, report: report('c') });
    entries = beginEntry(entries, beginning('d'));
    const cleared = (now: Entry[]): string[] =>
      now.filter((each) => each.isOutputCleared).map((each) => each.evaluation);
    const once = clearLastOutput(entries);
    expect([cleared(once), cleared(clearLastOutput(once))]).toEqual([['b'], ['a', 'b']]);
    expect(lastWithOutput(clearLastOutput(clearLastOutput(entries)))).toBeUndefined();
  });

  it('The transcript clears all but what runs [D5]', () => {
    const entries = beginEntry(finishEntry(beginEntry([], beginning('a')), 'a', report('a')), beginning('b'));
    expect(ids(clearEntries(entries))).toEqual(['b…']);
  });

  it("The transcript shows an agent's evaluation once, with its client and tool [D5, D16]", () => {
    const event = {
      actor: { id: 'client:1', kind: 'client' as const, name: 'codex' },
      tool: 'evaluate-lisp',
      code: '(f)',
      at: 5,
      report: report('x'),
    };
    const entries = addAgentEntry(addAgentEntry([], event), event);
    expect(entries).toMatchObject([
      { evaluation: 'x', agent: { tool: 'evaluate-lisp', actor: { name: 'codex' } }, code: '(f)', at: 5 },
    ]);
  });
});

describe('history', () => {
  const history = ['(list 1)', '(load "x")', '(list 2)'];

  it('The history keeps each input once, the newest last, within its limit [D5]', () => {
    expect(remember(history, ' (list 1) ')).toEqual(['(load "x")', '(list 2)', '(list 1)']);
    expect(remember(history, '   ')).toEqual(history);
    expect(remember(history, '(f)', 2)).toEqual(['(list 2)', '(f)']);
  });

  it('Closers at the end of what was typed, which the input put there, are no part of the beginning', () => {
    const history = ['(list :one)', '(vector :two)', '(say "hello")'];
    expect(recall(history, { typed: '(li)', index: 3 }, -1)?.text).toBe('(list :one)');
    expect(recall(history, { typed: '(say "h")', index: 3 }, -1)?.text).toBe('(say "hello")');
    const back = recall(history, { typed: '(li)', index: 0 }, 1);
    expect(back?.text).toBe('(li)');
  });

  it('The history goes back among what begins as typed and comes forward to the typed text [D5]', () => {
    const first = recall(history, { typed: '(li', index: 3 }, -1);
    const second = first && recall(history, first.recall, -1);
    const forward = first && recall(history, first.recall, 1);
    expect([first?.text, second?.text, second && recall(history, second.recall, -1), forward?.text]).toEqual([
      '(list 2)',
      '(list 1)',
      null,
      '(li',
    ]);
  });
});
