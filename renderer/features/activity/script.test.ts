import { describe, expect, it } from 'vitest';
import { ActivityRows } from './rows.ts';
import { jsonLines, script, testForm } from './script.ts';

const value = (text: string, cut = 0) => ({ text, cut });
const codex = { id: 'client:codex', kind: 'client' as const, name: 'codex' };
const base = { session: null, parent: null, actor: codex };

describe('test made of an evaluation', () => {
  it('A test made of an evaluation claims the value that was printed [D12]', () => {
    expect(testForm({ code: '(total *cart*)', package: 'SHOP', values: [value('42')] })).toBe(
      `;; read in SHOP
(fiveam:test total-as-before
  (fiveam:is (equal '42
                    (total *cart*))))
`,
    );
  });

  it('A test made of an evaluation compares all values, and evaluates all forms [D12]', () => {
    expect(testForm({ code: '(defvar *x* 7)\n(floor *x* 2)', package: null, values: [value('3'), value('1')] })).toBe(
      `(fiveam:test defvar-as-before
  (fiveam:is (equal '(3 1)
                    (multiple-value-list
                     (progn
                       (defvar *x* 7)
                       (floor *x* 2))))))
`,
    );
  });

  it('A test made of an evaluation only runs what gave nothing that can be read back [D12]', () => {
    for (const values of [null, [], [value('#<CART {1001}>')], [value('(1 2', 900)]])
      expect(testForm({ code: '(make-cart)', package: null, values })).toContain('(fiveam:finishes');
  });
});

describe('export of what is shown', () => {
  const { rows } = new ActivityRows([
    {
      ...base,
      seq: 1,
      at: 0,
      kind: 'call-started',
      call: 'c',
      tool: 'evaluate-lisp',
      level: 'cautious',
      summary: '(f)',
    },
    { ...base, seq: 2, at: 0, kind: 'evaluation-started', evaluation: 'c', code: '(f)', origin: 'agent', parent: 'c' },
    { ...base, seq: 3, at: 0, kind: 'evaluation-finished', evaluation: 'c', status: 'ok', summary: '1', tookMs: 1 },
    { ...base, seq: 4, at: 0, kind: 'call-started', call: 'd', tool: 'eval-form', level: 'cautious', summary: '(g)' },
    {
      ...base,
      seq: 5,
      at: 0,
      kind: 'call-finished',
      call: 'd',
      tool: 'eval-form',
      success: false,
      pending: false,
      summary: 'no g',
      tookMs: 1,
      bytes: 1,
    },
    { ...base, seq: 6, at: 0, kind: 'evaluation-started', evaluation: 'gone', code: '(h)', origin: 'repl' },
  ]);
  const blank = { arguments: [], values: null, result: null };

  it('The exported script has each evaluation once, what failed as comments, and a count of what is missing [D12]', () => {
    const { text, forms, missing } = script(rows, [
      { ...blank, id: 'c', code: '(f)', package: 'SHOP' },
      { ...blank, id: 'd', code: '(g)', package: 'SHOP' },
    ]);
    expect([forms, missing]).toEqual([2, 1]);
    expect(text.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')).toBe(
      '(in-package :shop)\n\n;; codex, TIME\n(f)\n\n;; codex, TIME, which failed: no g\n;; (g)\n',
    );
  });

  it('The exported events are those of the rows as lines of JSON [D12]', () => {
    const lines = jsonLines(rows.slice(2, 3), [
      { ...base, seq: 4, at: 0, kind: 'server-changed', change: 'started', summary: '' },
      { ...base, seq: 5, at: 0, kind: 'server-changed', change: 'stopped', summary: '' },
      { ...base, seq: 9, at: 0, kind: 'server-changed', change: 'stopped', summary: '' },
    ]);
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([4, 5]);
  });
});
