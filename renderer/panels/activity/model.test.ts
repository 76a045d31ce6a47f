import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '#contract/activity.ts';
import { type ActivityNarrowing, activityRows, narrowRows } from './model.ts';

const codex = { id: 'client:1', kind: 'client' as const, name: 'codex' };
const person = { id: 'person', kind: 'person' as const, name: 'you' };
const base = { session: null, parent: null };

const events: ActivityEvent[] = [
  {
    ...base,
    seq: 1,
    at: 100,
    actor: person,
    kind: 'evaluation-started',
    evaluation: 'e1',
    code: '(total)',
    origin: 'repl',
  },
  {
    ...base,
    seq: 2,
    at: 110,
    actor: person,
    kind: 'evaluation-finished',
    evaluation: 'e1',
    status: 'ok',
    summary: '42',
    tookMs: 10,
  },
  {
    ...base,
    seq: 3,
    at: 200,
    actor: codex,
    kind: 'call-started',
    call: 'c1',
    tool: 'evaluate_lisp',
    level: 'cautious',
    summary: '2 forms',
  },
  {
    ...base,
    seq: 4,
    at: 210,
    actor: codex,
    kind: 'evaluation-started',
    evaluation: 'e2',
    code: '(defun f ())',
    origin: 'mcp',
    parent: 'c1',
  },
  {
    ...base,
    seq: 5,
    at: 215,
    actor: person,
    kind: 'evaluation-started',
    evaluation: 'e3',
    code: '(other)',
    origin: 'repl',
  },
  { ...base, seq: 6, at: 220, actor: codex, kind: 'definitions-changed', evaluation: 'e2', packages: ['CL-USER'] },
  {
    ...base,
    seq: 7,
    at: 230,
    actor: codex,
    kind: 'evaluation-finished',
    evaluation: 'e2',
    status: 'error',
    summary: 'UNBOUND-VARIABLE',
    tookMs: 20,
    parent: 'c1',
  },
  {
    ...base,
    seq: 8,
    at: 240,
    actor: codex,
    kind: 'call-finished',
    call: 'c1',
    tool: 'evaluate_lisp',
    success: false,
    pending: false,
    summary: '',
    tookMs: 40,
    bytes: 9,
  },
  {
    ...base,
    seq: 9,
    at: 300,
    actor: codex,
    kind: 'approval-requested',
    approval: 'a1',
    tool: 'write_file',
    summary: 'Write 3 bytes',
  },
  {
    ...base,
    seq: 10,
    at: 900,
    actor: codex,
    kind: 'approval-decided',
    approval: 'a1',
    tool: 'write_file',
    decision: 'denied',
    by: 'you',
    reason: 'No.',
    summary: '',
  },
];
const everything: ActivityNarrowing = { text: '', hidden: new Set(), folded: new Set() };
const outline = (narrowing: Partial<ActivityNarrowing> = {}): string[] =>
  narrowRows(activityRows(events), { ...everything, ...narrowing }).map((row) =>
    `${'  '.repeat(row.depth)}${row.kind} ${row.outcomeText}`.trimEnd(),
  );

describe('D12 the activity list', () => {
  it('makes one row of a beginning and its end, and nests what happened inside a call', () => {
    expect(outline()).toEqual([
      'evaluation 42',
      'call failed',
      '  evaluation UNBOUND-VARIABLE',
      '    definition',
      'evaluation evaluating',
      'approval denied by you: “No.”',
    ]);
  });

  it('measures how long a decision took and whose it was', () => {
    expect(activityRows(events).at(-1)).toMatchObject({ tookMs: 600, decidedByPerson: true, outcome: 'bad' });
  });

  it('folds a call', () => {
    expect(outline({ folded: new Set(['3']) })).toEqual([
      'evaluation 42',
      'call failed',
      'evaluation evaluating',
      'approval denied by you: “No.”',
    ]);
  });

  it('filters by actor and by text, keeping the parents of what matches', () => {
    expect(outline({ hidden: new Set(['person', 'x']) })).toEqual([
      'call failed',
      '  evaluation UNBOUND-VARIABLE',
      '    definition',
      'approval denied by you: “No.”',
    ]);
    expect(outline({ text: 'defun' })).toEqual(['call failed', '  evaluation UNBOUND-VARIABLE', '    definition']);
    expect(outline({ text: 'nowhere' })).toEqual([]);
  });

  it('shows an end whose beginning is not held any more', () => {
    expect(activityRows(events.slice(7, 8))).toMatchObject([
      { kind: 'call', subject: 'evaluate_lisp', outcome: 'bad' },
    ]);
  });
});
