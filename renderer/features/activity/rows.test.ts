import { describe, expect, it } from 'vitest';
import type { ActivityEvent, ChangedDefinition } from '#contract/decisions/activity.ts';
import { ActivityRows } from './rows.ts';
import { type ActivityNarrowing, EVERYTHING, matchingRows, NarrowedRows } from './filter.ts';

const codex = { id: 'client:1', kind: 'client' as const, name: 'codex' };
const person = { id: 'person', kind: 'person' as const, name: 'you' };
const base = { session: null, parent: null };

const area: ChangedDefinition = {
  event: 7,
  life: 1,
  kind: 'function',
  name: 'AREA',
  package: 'CL-USER',
  operation: 'defined',
  undoes: null,
};

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
    tool: 'evaluate-lisp',
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
  {
    ...base,
    seq: 6,
    at: 220,
    actor: codex,
    kind: 'definitions-changed',
    evaluation: 'e2',
    definitions: [area],
    more: 0,
  },
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
    tool: 'evaluate-lisp',
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
    tool: 'write-file',
    summary: 'Write 3 bytes',
    rule: 'Asked because write-file is dangerous.',
  },
  {
    ...base,
    seq: 10,
    at: 900,
    actor: codex,
    kind: 'approval-decided',
    approval: 'a1',
    tool: 'write-file',
    decision: 'denied',
    by: 'you',
    reason: 'No.',
    summary: '',
  },
];
const outline = (narrowing: Partial<ActivityNarrowing> = {}): string[] =>
  new NarrowedRows()
    .update(new ActivityRows(events).rows, 0, { ...EVERYTHING, ...narrowing })
    .map((row) => `${'  '.repeat(row.depth)}${row.kind} ${row.outcomeText}`);

describe('activity list', () => {
  it('The activity list makes one row of a beginning and its end, and nests what happened inside a call [D12]', () => {
    expect(outline({ folds: new Map([['3', false]]) })).toEqual([
      'evaluation 42',
      'call failed',
      '  evaluation UNBOUND-VARIABLE',
      '    definition new',
      'evaluation evaluating',
      'approval denied by you: “No.”',
    ]);
  });

  it('The activity list knows which calls and evaluations defined something, so that undoing is offered for those alone [B21]', () => {
    const defining = new ActivityRows(events).rows.filter(({ defines }) => defines);
    expect(defining.map(({ kind, run }) => [kind, run])).toEqual([
      ['call', 'c1'],
      ['evaluation', 'e2'],
    ]);
  });

  it('The activity list measures how long a decision took and whose it was [D12]', () => {
    expect(new ActivityRows(events).rows.at(-1)).toMatchObject({
      tookMs: 600,
      decidedByPerson: true,
      outcome: 'bad',
      rule: 'Asked because write-file is dangerous.',
    });
  });

  it('The activity list folds a call, its only evaluation and its definitions into one row, also while the call is running [issue 39.3]', () => {
    const folded = ['evaluation 42', 'call failed', 'evaluation evaluating', 'approval denied by you: “No.”'];
    expect(outline()).toEqual(folded);
    expect(new ActivityRows(events.slice(0, 6)).rows[1]).toMatchObject({
      outcome: 'running',
      brief: { evaluation: 'e2', definitions: 1 },
    });
  });

  it('The activity list keeps a call open that the person has opened, and folded one that they have folded [D12, issue 39.3]', () => {
    expect(outline({ folds: new Map([['3', false]]) })).toContain('    definition new');
    expect(outline({ folds: new Map([['4', true]]), text: 'defun' })).toEqual([
      'call failed',
      '  evaluation UNBOUND-VARIABLE',
    ]);
  });

  it.each<[string, ActivityEvent]>([
    ['a second evaluation', { ...events[3]!, seq: 8, evaluation: 'e4' } as ActivityEvent],
    ['an approval', { ...events[8]!, seq: 8, parent: 'c1' }],
    ['another outcome than its evaluation', { ...events[7]!, success: true } as ActivityEvent],
  ])('The activity list shows the rows inside a call that has %s [issue 39.3]', (_what, event) => {
    const rows = new ActivityRows([...events.slice(0, 7), event]).rows;
    expect(rows.find(({ kind }) => kind === 'call')).toMatchObject({ brief: null });
    expect(new NarrowedRows().update(rows, 0, EVERYTHING)).toEqual(rows);
  });

  it('An export contains the rows inside folded calls [issue 39.3]', () => {
    const { rows } = new ActivityRows(events);
    expect(matchingRows(rows, EVERYTHING)).toEqual(rows);
    expect(matchingRows(rows, { ...EVERYTHING, hidden: new Set(['person']) })).toHaveLength(4);
  });

  it('The activity list filters by actor, kind, outcome and text, keeping the parents of what matches [D12]', () => {
    expect(outline({ hidden: new Set(['person', 'x']) })).toEqual(['call failed', 'approval denied by you: “No.”']);
    expect(outline({ kind: 'definition' })).toEqual([
      'call failed',
      '  evaluation UNBOUND-VARIABLE',
      '    definition new',
    ]);
    expect(outline({ outcome: 'running' })).toEqual(['evaluation evaluating']);
    expect(outline({ text: 'defun' })).toEqual(['call failed', '  evaluation UNBOUND-VARIABLE', '    definition new']);
    expect(outline({ text: 'nowhere' })).toEqual([]);
  });

  it('The activity list shows an end whose beginning is not held any more [D12]', () => {
    expect(new ActivityRows(events.slice(7, 8)).rows).toMatchObject([
      { kind: 'call', subject: 'evaluate-lisp', outcome: 'bad' },
    ]);
  });

  it('The activity list grows event by event to the same rows as all at once, under any filter, and tells from where on it changed [D12]', () => {
    const narrowings: ActivityNarrowing[] = [
      EVERYTHING,
      { ...EVERYTHING, text: 'area' },
      { ...EVERYTHING, kind: 'evaluation' },
      { ...EVERYTHING, folds: new Map([['3', false]]), hidden: new Set(['person']) },
    ];
    for (const narrowing of narrowings) {
      const rows = new ActivityRows();
      const narrowed = new NarrowedRows();
      for (const [index, event] of events.entries()) {
        rows.add([event]);
        const grown = narrowed.update(rows.rows, rows.takeChange(), narrowing);
        const whole = new ActivityRows(events.slice(0, index + 1));
        expect(grown).toEqual(new NarrowedRows().update(whole.rows, 0, narrowing));
      }
    }
  });

  it('The activity list puts the checkpoint that was made for a call first inside it, as a row of its client [P4, D12, issue 39.3]', () => {
    const rows = new ActivityRows(events.slice(0, 4));
    const label = 'before codex’s evaluation 1';
    rows.add([
      { ...base, seq: 5, at: 212, actor: person, kind: 'session-changed', change: 'checkpoint', summary: label },
    ]);
    rows.add(events.slice(5, 6));
    expect(rows.rows.map((row) => `${'  '.repeat(row.depth)}${row.checkpoint ? row.detail : row.kind}`)).toEqual([
      'evaluation',
      'call',
      `  ${label}`,
      '  evaluation',
      '    definition',
    ]);
    expect(rows.rows[2]!.actor).toBe(codex);
    expect(new NarrowedRows().update(rows.rows, 0, EVERYTHING)).toHaveLength(2);
    expect(rows.of('c1').map(({ kind }) => kind)).toEqual(['call', 'evaluation', 'definition']);
    expect(rows.takeChange()).toBe(0);
  });

  it('The activity list keeps the rows that did not change [D12]', () => {
    const rows = new ActivityRows(events.slice(0, 5));
    rows.takeChange();
    const before = [...rows.rows];
    rows.add(events.slice(5, 6));
    // The first row that changed is the call's row, because the call and its evaluation defined something.
    expect(rows.takeChange()).toBe(1);
    expect([0, 1, 2, 4].map((index) => rows.rows[index] === before[index < 3 ? index : 3])).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('The activity list dims what was undone: a definition by an event that undid it, a file by its revert [D12]', () => {
    const undo: ActivityEvent = {
      ...base,
      seq: 11,
      at: 1000,
      actor: person,
      kind: 'definitions-changed',
      evaluation: null,
      definitions: [{ ...area, event: 8, operation: 'removed', undoes: 7 }],
      more: 0,
    };
    const back: ActivityEvent = {
      ...base,
      seq: 12,
      at: 1001,
      actor: person,
      kind: 'approval-undone',
      approval: 'a1',
      success: true,
      summary: 'shop.lisp is as before.',
    };
    const { rows } = new ActivityRows([...events, undo, back]);
    expect(rows.filter((row) => row.undone).map((row) => [row.kind, row.outcomeText])).toEqual([
      ['definition', 'undone by you'],
      ['approval', 'denied by you: “No.”'],
    ]);
  });
});
