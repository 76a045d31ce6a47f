/** The REPL: its input with history, commands and completions, stopping evaluations, and clearing parts of the transcript. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { WorkbenchCalls } from '#contract/rpc.ts';
import type { z } from 'zod';
import { restoreReplInput } from './input/input-store.ts';
import { openDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { random, randomForm } from '../../sexp/reading/random-forms.fixture.ts';
import { openText, region } from '../../text.fixture.ts';
import {
  answer,
  faults,
  type FakeCore,
  insert,
  openWholeWindow,
  press,
  snapshotWith,
  type,
} from '../../window.fixture.tsx';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
  restoreReplInput(snapshotWith().workspace);
});

const repl = () => region('REPL');
const box = () => page.getByRole('textbox', { name: 'REPL input' });
const log = () => repl().getByRole('log', { name: 'Transcript' });
const offered = () => repl().getByRole('listbox', { name: 'Completions' });
const field = (): HTMLTextAreaElement => box().element() as HTMLTextAreaElement;

type Evaluated = z.output<WorkbenchCalls['repl.evaluate']['input']>;

/** Makes the image return these values, which are given by the code that is evaluated. An IN-PACKAGE form changes the REPL's package. */
function evaluatesTo(values: Readonly<Record<string, string>>): void {
  let current = 'COMMON-LISP-USER';
  answer({
    'repl.evaluate': ({ evaluation, code }) => {
      current = /in-package (?:"|#:)?([\w-]+)/.exec(code)?.[1]!.toUpperCase() ?? current;
      core.tell('session-changed', { ...snapshotWith().session, package: current });
      return reportOf(evaluation, [values[code] ?? 'T'], { package: current });
    },
  });
}

async function evaluate(code: string): Promise<void> {
  await box().click();
  await insert(code);
  await press('Control+Enter');
}

/** Evaluates code that runs until the test calls `end`. */
async function running(code: string): Promise<{ readonly input: Evaluated; readonly end: () => void }> {
  const begun = Promise.withResolvers<Evaluated>();
  const over = Promise.withResolvers<void>();
  answer({
    'repl.evaluate': async (input) => {
      const { evaluation } = input;
      const who = { id: 'person', kind: 'person' as const, name: 'you' };
      const run = { evaluation, actor: who, summary: code, startedAt: Date.now() };
      core.tell('session-changed', { ...snapshotWith().session, state: 'evaluating', running: run });
      begun.resolve(input);
      await over.promise;
      core.tell('session-changed', snapshotWith().session);
      return reportOf(evaluation, [], { status: 'interrupted', outputCut: 12_345 });
    },
    'session.interrupt': () => {
      over.resolve();
      return { interrupted: true };
    },
  });
  await evaluate(code);
  return { input: await begun.promise, end: over.resolve };
}

it('Printing that has no end is stopped while the evaluation goes on, and the evaluation is interrupted by another command [D5]', async () => {
  const { input } = await running('(unwind-protect (loop (print :forever)) (print :at-last))');
  const { evaluation } = input;
  answer({ 'output.stop': () => ({ stopped: true }) });
  core.tell('output', [{ evaluation, stream: 'stdout', text: '\n:FOREVER '.repeat(3_000), left: 0 }]);
  await repl().getByRole('button', { name: 'Stop printing' }).click();
  await expect.element(repl().getByRole('status').filter({ hasText: 'Output muted; still running.' })).toBeVisible();
  expect(core.calls.filter(({ name }) => name === 'output.stop')).toEqual([
    { name: 'output.stop', input: { evaluation } },
  ]);
  await expect.element(repl().getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await expect.element(repl()).toMatchTextContent('You are evaluating');
  await press('Control+.');
  await expect.element(repl()).toMatchTextContent('Interrupted');
  await expect.element(repl()).toMatchTextContent(/[\d,]+ more characters were printed but not stored/);
});

it('The history is searched backwards, also after the window was closed and opened again [D5]', async () => {
  evaluatesTo({});
  // Creates the history that an earlier window would have saved.
  for (const code of ['(defun square (x) (* x x))', '(square 12)', '(list :something :else)']) await evaluate(code);
  await expect
    .poll(() => core.calls.findLast(({ name }) => name === 'workspace.keep')?.input, { timeout: 10_000 })
    .toMatchObject({ replHistory: expect.arrayContaining(['(square 12)', '(list :something :else)']) });
  const { replHistory } = core.calls.findLast(({ name }) => name === 'workspace.keep')!.input as {
    replHistory: string[];
  };
  core = await openWholeWindow();
  restoreReplInput({ ...snapshotWith().workspace, replHistory });

  await box().click();
  await type('draft');
  await press('Control+r');
  await type('SQUARE');
  const search = page.getByRole('group', { name: 'History search' });
  await expect.element(search).toMatchTextContent('(square 12)');
  await press('Control+r');
  await expect.element(search).toMatchTextContent('(defun square (x) (* x x))');
  await press('Escape');
  await expect.element(box()).toHaveValue('draft');
  await expect.element(box()).toHaveFocus();
  await press('Control+r');
  await type('square');
  await press('Enter');
  await expect.element(box()).toHaveValue('(square 12)');
  await expect.element(box()).toHaveFocus();
  // Alt+P goes through the earlier inputs that begin with the typed text.
  await box().fill('(de');
  await press('Alt+p');
  await expect.element(box()).toHaveValue('(defun square (x) (* x x))');
  await press('Alt+n');
  await expect.element(box()).toHaveValue('(de');
});

it('Brackets and strings are paired as they are typed, and what is typed over a selection stands in its place [D5]', async () => {
  await box().click();
  await type('(list "a" (+ 1 2))');
  await expect.element(box()).toHaveValue('(list "a" (+ 1 2))');
  await press('Backspace');
  await expect.element(box()).toHaveValue('(list "a" (+ 1 2)');
  await box().fill('');
  await type('(list');
  await expect.element(box()).toHaveValue('(list)');
  await expect.element(repl()).toMatchTextContent('Enter evaluates, Shift+Enter continues');
  await press('End');
  await press('Backspace');
  await expect.element(repl()).toMatchTextContent('Enter continues, Ctrl+Enter evaluates');
  await box().fill('');
  await type('(list');
  await press('Control+z');
  // Typing replaces the selection, whether it is a part of the text or all of it.
  const below = random(20_261_127);
  for (let run = 0; run < 8; run += 1) {
    const forms = Array.from({ length: 3 }, () => randomForm(below, 2).replaceAll('\n', ' '));
    const typed = below(2) === 0 ? `(${randomForm(below, 2).replaceAll('\n', ' ')})` : '"a string"';
    await box().fill(forms.join(' '));
    const isAll = below(2) === 0;
    const start = forms[0]!.length + 1;
    if (isAll) await press('Control+a');
    else field().setSelectionRange(start, start + forms[1]!.length);
    await type(typed);
    await expect.element(box()).toHaveValue(isAll ? typed : [forms[0], typed, forms[2]].join(' '));
  }
});

it('Enter evaluates a complete form wherever the caret is, and Shift+Enter breaks the line [issue 39.2]', async () => {
  const evaluated = (): unknown[] =>
    core.calls.filter(({ name }) => name === 'repl.evaluate').map(({ input }) => (input as { code: string }).code);
  await box().click();
  await type('(list 1 2');
  await expect.element(box()).toHaveValue('(list 1 2)');
  await press('Shift+Enter');
  await expect.element(box()).toHaveValue('(list 1 2\n      )');
  await type('3');
  await press('Enter');
  await expect.poll(evaluated).toEqual(['(list 1 2\n      3)']);
  await box().fill('(list "a');
  await press('Enter');
  await expect.element(box()).toHaveValue('(list "a\n');
  expect(evaluated()).toHaveLength(1);
});

it('Commands after a comma, the package and the saved transcript are as a Lisp programmer expects [D5]', async () => {
  evaluatesTo({ '(package-name *package*)': '"COMMON-LISP-USER"', '(defvar *here* 1)': '*HERE*' });
  answer({
    'packages.list': () => ({ packages: [] }),
    'app.copy': async ({ text }) => {
      await navigator.clipboard.writeText(text);
      return {};
    },
    'file.choosePlace': () => ({ path: '/home/ada/shop/saved.lisp' }),
    'names.complete': ({ prefix }) =>
      prefix === 'key'
        ? {
            completions: [
              {
                text: 'keyword',
                kinds: ['package'],
                lambdaList: null,
                package: 'KEYWORD',
                documentation: null,
                score: 1,
                matches: [],
              },
            ],
          }
        : null,
  });
  const disk = openDisk(core);
  await box().click();
  await type(',in-p');
  await press('Tab');
  await expect.element(box()).toHaveValue(',in-package ');
  await type('keyword');
  await press('Enter');
  await expect.element(repl()).toMatchTextContent('(cl:in-package "KEYWORD")');
  await expect.element(repl()).toMatchTextContent('KEYWORD>');
  await type(',in-package cl-user');
  await press('Enter');
  // Typing a prefix lists the matching commands. A command that lacks its argument lists the possible arguments.
  await type(',in');
  await expect.poll(() => offered().getByRole('option').length).toBe(2);
  await press('Escape');
  await type('-p');
  await press('Enter');
  await expect.element(box()).toHaveValue(',in-package ');
  await type('key');
  await expect.element(offered().getByRole('option', { name: /^keyword/ })).toBeVisible();
  await box().fill('');
  await type(',help');
  await press('Enter');
  await expect.element(repl()).toMatchTextContent('Loads an ASDF system');
  // An evaluation in the editor does not change the package of the REPL.
  await openText('(defpackage :b11 (:use :cl)) (in-package :b11) (defvar *here* 1)');
  await press('Control+a');
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['*HERE*'], { package: 'B11' }) });
  await press('Control+Enter');
  await expect.element(repl().getByRole('button', { name: 'Inspect *HERE*' })).toBeVisible();
  evaluatesTo({ '(package-name *package*)': '"COMMON-LISP-USER"' });
  await evaluate('(package-name *package*)');
  await expect.element(repl().getByRole('button', { name: 'Inspect "COMMON-LISP-USER"' })).toBeVisible();
  expect(core.calls.findLast(({ name }) => name === 'repl.evaluate')?.input).toMatchObject({ package: null });
  // Copies the whole transcript, although only a part of it is drawn, and saves it as text and as a file of forms.
  await log().click({ position: { x: 4, y: 4 } });
  await press('Control+a');
  await press('Control+c');
  await expect.poll(() => navigator.clipboard.readText()).toContain('(cl:in-package "KEYWORD")');
  expect(await navigator.clipboard.readText()).toContain('=> "COMMON-LISP-USER"');
  const { left, top } = log().element().getBoundingClientRect();
  await log().click({ position: { x: 4, y: 4 }, button: 'right' });
  // The menu opens next to the pointer.
  const menu = page.getByRole('menu').element().getBoundingClientRect();
  expect(Math.abs(menu.x - left)).toBeLessThan(20);
  expect(top + 4 - menu.y - menu.height).toBeLessThan(20);
  expect(menu.y - top).toBeLessThan(20);
  await page.getByRole('menuitem', { name: 'Save the Transcript as a Lisp File…' }).click();
  await expect.poll(() => disk.read('saved.lisp') ?? '').toContain('(package-name *package*)\n; => "COMMON-LISP-USER"');
});

it('What leaves the transcript is let go of: its values are not held in the image any longer [K6, D5]', async () => {
  evaluatesTo({ '(list :short-lived)': '(:SHORT-LIVED)' });
  answer({ 'output.forget': () => ({}) });
  await evaluate('(list :short-lived)');
  await expect.element(repl().getByRole('button', { name: 'Inspect (:SHORT-LIVED)' })).toBeVisible();
  const { evaluation } = core.calls.findLast(({ name }) => name === 'repl.evaluate')!.input as Evaluated;
  await press('Control+l');
  await expect.element(repl()).toMatchTextContent('Type a form below');
  expect(core.calls.findLast(({ name }) => name === 'output.forget')?.input).toEqual({ evaluations: [evaluation] });
});

it('Tab completes in the REPL, and the lambda list of the call stands beside it', async () => {
  const LAMBDA_LIST = '(cart &key (country :de))';
  const completion = { kinds: [], lambdaList: null, package: null, documentation: null, score: 1, matches: [] };
  answer({
    'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['(1 :FR)']),
    'names.complete': ({ prefix }) => ({
      completions:
        prefix === 'total-p'
          ? [{ ...completion, text: 'total-price', kinds: ['function'], lambdaList: LAMBDA_LIST }]
          : prefix === ':co'
            ? [':country', ':count', ':conc-name'].map((text) => ({ ...completion, text, kinds: ['keyword'] }))
            : [],
    }),
    'names.arglist': ({ text }) =>
      text.includes('total-price')
        ? {
            found: true,
            operator: 'total-price',
            kind: 'function',
            lambdaList: LAMBDA_LIST,
            parameters: [],
            current: null,
            documentation: null,
          }
        : null,
  });
  await box().click();
  await type('(total-p');
  await press('Tab');
  await expect.element(box()).toHaveValue('(total-price)');
  await type(' 1 :co');
  await expect.element(repl()).toMatchTextContent('(total-price cart &key (country :de))');
  await press('Tab');
  await expect.element(offered().getByRole('option', { name: /^:country/ })).toHaveAttribute('aria-selected', 'true');
  await press('Enter');
  await expect.element(box()).toHaveValue('(total-price 1 :country)');
  await type(' :fr');
  await press('Control+Enter');
  await expect.element(repl()).toMatchTextContent('(1 :FR)');
  expect(core.calls.findLast(({ name }) => name === 'repl.evaluate')?.input).toMatchObject({
    code: '(total-price 1 :country :fr)',
  });
});

const LINES_A_PART = 1000;
const PARTS = 10_000;

/** Returns the text with which a number's line begins, as printed by `~9,'0D`. */
function lineOf(number: number): string {
  return String(number).padStart(9, '0');
}

it('Of a hundred megabytes that are printed the end is seen, and all of it is opened and searched [D5]', async () => {
  const all = PARTS * LINES_A_PART;
  answer({
    'repl.evaluate': ({ evaluation }) => {
      const shown = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => `${lineOf(from + index)}\n`).join('');
      core.tell('output', [
        { evaluation, stream: 'stdout', text: shown(0, 20), left: 0 },
        { evaluation, stream: 'stdout', text: shown(all - 2000, all), left: 99_979_800 },
      ]);
      return reportOf(evaluation, ['NIL']);
    },
    'output.part': ({ part: wanted }) => {
      const part = Math.min(wanted, PARTS - 1);
      const line = part * LINES_A_PART;
      const text = Array.from(
        { length: Math.min(LINES_A_PART, all - line) },
        (_, index) => `${lineOf(line + index)}\n`,
      );
      return {
        problem: null,
        printed: { text: text.join(''), part, parts: PARTS, line, lines: all + 1, characters: 10 * all },
      };
    },
    'output.search': ({ text }) => {
      const line = Number(text);
      return { part: Math.floor(line / LINES_A_PART), offset: (line % LINES_A_PART) * 10, line };
    },
  });
  await evaluate(`(dotimes (i 10000000) (format t "~9,'0D~%" i))`);
  await expect.element(repl()).toMatchTextContent('=> NIL');
  await expect.element(repl()).toMatchTextContent('009999999');
  await expect.element(repl()).toMatchTextContent('000000000');
  await expect.element(repl()).toMatchTextContent(/99,9\d\d,\d{3} characters are not shown here/);
  await repl().getByRole('button', { name: 'Open full text' }).click();
  const editor = region('Editor');
  const bar = editor.getByRole('group', { name: 'Whole output' });
  await expect.element(bar).toMatchTextContent('100,000,000 characters, 10,000,001 lines');
  await expect.element(editor).toMatchTextContent('009999999');
  await bar.getByRole('searchbox', { name: 'Find in the whole output' }).fill('004321000');
  await press('Shift+Enter');
  await expect.element(bar).toMatchTextContent('Line 4,321,001');
  await expect.element(editor).toMatchTextContent('004321000');
  await expect
    .poll(() => [...document.querySelectorAll('.line-numbers')].map(({ textContent }) => textContent))
    .toContain('4321001');
  await bar.getByRole('button', { name: 'First part' }).click();
  await expect.element(editor).toMatchTextContent('000000003');
  expect(await faults()).toEqual([]);
});
