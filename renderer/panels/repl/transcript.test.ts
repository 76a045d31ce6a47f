import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { recall, remember } from './history.ts';
import {
  addAgentEntry,
  beginEntry,
  type Beginning,
  clearEntries,
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

describe('D5 the transcript', () => {
  it('keeps the newest entries, and all that still run', () => {
    let entries: Entry[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      entries = beginEntry(entries, beginning(id), 3);
      if (id !== 'a') entries = finishEntry(entries, id, report(id));
    }
    expect(ids(entries)).toEqual(['a…', 'd', 'e']);
  });

  it('shows what agents run and have waiting after the entries, once each', () => {
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
      parked: [of('parked', codex)],
      running: of('mine', person),
      waiting: [of('queued', codex), of('mine-too', person)],
      package: 'CL-USER',
    };
    const shown = withAgentsAtWork(entries, session, []);
    expect(ids(shown)).toEqual(['mine…', 'parked…', 'queued…']);
    const ended = addAgentEntry(entries, {
      actor: codex,
      tool: 'evaluate_lisp',
      code: '',
      at: 2,
      report: report('parked'),
    });
    expect(ids(withAgentsAtWork(ended, session, [{ evaluation: 'queued' }]))).toEqual(['mine…', 'parked']);
  });

  it('clears all but what runs', () => {
    const entries = beginEntry(finishEntry(beginEntry([], beginning('a')), 'a', report('a')), beginning('b'));
    expect(ids(clearEntries(entries))).toEqual(['b…']);
  });

  it("D16 shows an agent's evaluation once, with its client and tool", () => {
    const event = {
      actor: { id: 'client:1', kind: 'client' as const, name: 'codex' },
      tool: 'evaluate_lisp',
      code: '(f)',
      at: 5,
      report: report('x'),
    };
    const entries = addAgentEntry(addAgentEntry([], event), event);
    expect(entries).toMatchObject([
      { evaluation: 'x', agent: { tool: 'evaluate_lisp', actor: { name: 'codex' } }, code: '(f)', at: 5 },
    ]);
  });
});

describe('D5 the history', () => {
  const history = ['(list 1)', '(load "x")', '(list 2)'];

  it('keeps each input once, the newest last, within its limit', () => {
    expect(remember(history, ' (list 1) ')).toEqual(['(load "x")', '(list 2)', '(list 1)']);
    expect(remember(history, '   ')).toEqual(history);
    expect(remember(history, '(f)', 2)).toEqual(['(list 2)', '(f)']);
  });

  it('goes back among what begins as typed and comes forward to the typed text', () => {
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
