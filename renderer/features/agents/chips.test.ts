import { describe, expect, it } from 'vitest';
import { hostedAgentCalls, type PromptContext } from '#contract/clients/hosted-agent.ts';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import {
  codeChip,
  conditionChip,
  definedIn,
  definitionChip,
  MOST_CHIPS,
  objectChip,
  replChip,
  testChip,
  withChip,
} from './chips.ts';

const code = {
  text: '(defun area (w h) (* w h))',
  package: 'SHOP',
  path: '/project/cart.lisp',
  title: 'cart.lisp',
  line: 20,
};

describe('chips of a prompt', () => {
  it('A form has its place and its package, and the title that says which it is [issue 14.4]', () => {
    expect(codeChip('form', code)).toEqual({
      kind: 'form',
      title: 'form in cart.lisp, line 20',
      text: 'Form in /project/cart.lisp, from line 20, read in the package SHOP:\n\n(defun area (w h) (* w h))',
    });
    expect(codeChip('selection', { ...code, path: null, title: 'Untitled', package: null }).text).toContain(
      'Selected text in the unsaved text "Untitled", from line 20:',
    );
  });

  it('A definition names its callers with their places, and says how many are left out [issue 14.4]', () => {
    const source = { file: '/project/cart.lisp', offset: null, line: 3 };
    const rest = { end: null, snippet: null, evaluation: null, actor: null, why: null, kind: 'function' };
    const callers = Array.from({ length: 50 }, (_, index) => ({ ...rest, source, name: `CALLER-${index}` }));
    const { text, title } = definitionChip({
      name: 'area',
      package: 'SHOP',
      description: 'AREA is a function.',
      source: code,
      callers,
      totalCallers: 60,
    });
    expect(title).toBe('area with callers');
    expect(text).toContain('60 callers:\n- CALLER-0, /project/cart.lisp:3\n');
    expect(text).toContain('… and 20 more');
    expect(text).toContain('AREA is a function.');
  });

  it('A form that defines tells its operator and its name, and a form of another kind neither [issue 14.4]', () => {
    const names = [
      '(defun line-price (line) 1)',
      '(cl:defmethod (setf area) (new shape) new)',
      '(defstruct (point (:conc-name p-)) x y)',
      '(defpackage :cart (:use :cl))',
      '(my-macros::defservice Pay () 1)',
      '(in-package cart)',
      '(total (list 1))',
      '"defun x"',
    ].map((form) => definedIn(form)?.name ?? null);
    expect(names).toEqual(['line-price', 'area', 'point', ':cart', 'Pay', null, null, null]);
    expect(definedIn('(cl:defun f ())')?.operator).toBe('cl:defun');
  });

  it('A condition has its message, restarts, frames and the variables that are seen [issue 14.4]', () => {
    const frame = { function: 'F', package: 'SHOP', arguments: [], internal: false, restartable: true, source: null };
    const record: DebuggerRecord = {
      id: 'd1',
      evaluation: 'e1',
      actor: 'person',
      held: false,
      thread: '',
      kind: 'error',
      level: 1,
      type: 'SHOP::UNKNOWN-SKU',
      message: 'No product has\nthe SKU "T".',
      package: 'SHOP',
      step: null,
      steps: { within: false, out: false },
      handle: 1,
      restarts: [{ index: 0, name: 'USE-VALUE', report: 'Use another.', parameters: [], asks: true }],
      frames: Array.from({ length: 40 }, (_, index) => ({ ...frame, index, call: `(F ${index})` })),
      moreFrames: false,
    };
    const local = { index: 0, name: 'SKU', id: 0, absence: null };
    const value = { text: '"T"', type: 'STRING', cut: 0, handle: null };
    const { title, text } = conditionChip(record, { frame: 0, locals: [{ ...local, value }] });
    expect(title).toBe('UNKNOWN-SKU: No product has the SKU "T".');
    for (const part of ['0: [USE-VALUE] Use another.', '29: (F 29)', '… and further ones', 'SKU = "T"'])
      expect(text).toContain(part);
    expect(text).not.toContain('(F 30)');
  });

  it('A failing test has its checks with what was expected, and what it printed [issue 14.4]', () => {
    const test = {
      id: 'a',
      framework: 'fiveam',
      name: 'T',
      package: 'SHOP',
      parent: null,
      suite: false,
      version: 1,
      source: null,
    };
    const shown = (text: string) => ({ text, type: 'T', cut: 0, handle: null });
    const failed = {
      outcome: 'failed' as const,
      form: '(is (= 1 2))',
      reason: null,
      expected: shown('2'),
      actual: shown('1'),
    };
    const passed = { ...failed, outcome: 'passed' as const, form: '(is t)' };
    const { text } = testChip(test, 'shop::t', {
      test: 'a',
      version: 1,
      outcome: 'failed',
      ms: 3,
      checks: [passed, failed],
      passed: 1,
      condition: null,
      output: 'printed',
      outputCut: 0,
    } as unknown as Parameters<typeof testChip>[2]);
    expect(text).toContain('Check that failed: (is (= 1 2))\nexpected: 2\nactual: 1');
    expect(text).toContain('Output:\nprinted');
    expect(text).not.toContain('(is t)');
  });

  it('Chips keep to the limits of the contract, whatever they are of [issue 14.4]', () => {
    const long = 'x'.repeat(300_000);
    const chips = [
      codeChip('form', { ...code, text: long, title: long }),
      replChip(`${long}the end`, 3),
      objectChip({ title: `\n${long}`, type: null, printed: long, parts: [] }),
    ];
    const { input } = hostedAgentCalls['hosted.prompt'];
    for (const chip of chips)
      expect(input.safeParse({ id: 'a', text: 'Explain it.', context: [chip] }).success).toBe(true);
    expect(chips[0]!.text.endsWith('… (cut)')).toBe(true);
    expect(chips[1]!.text.endsWith('the end')).toBe(true);
  });

  it('The same thing goes along once, in its newest state, and the oldest leaves where there are too many [issue 14.4]', () => {
    const chip = (title: string, text = ''): PromptContext => ({ kind: 'form', title, text });
    const some = [chip('a', 'old'), chip('b')];
    expect(withChip(some, chip('a', 'new'))).toEqual([chip('b'), chip('a', 'new')]);
    const many = Array.from({ length: 30 }, (_, index) => chip(String(index))).reduce(withChip, [] as PromptContext[]);
    expect(many).toHaveLength(MOST_CHIPS);
    expect(many.at(-1)!.title).toBe('29');
  });
});
