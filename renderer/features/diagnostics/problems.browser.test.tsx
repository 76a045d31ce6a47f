/** Problems that the window's reader and the compiler report, in the text and in the panel. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Diagnostic, TextCompilationResult } from '#contract/image/compilation.ts';
import type { SourcePlace } from '#contract/image/evaluation.ts';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { editorRegion, placeCaret, region } from '../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const listed = (): string[] =>
  region('Problems')
    .getByRole('treeitem')
    .elements()
    .map(({ textContent }) => textContent);
const having = (text: string): number => listed().filter((each) => each.includes(text)).length;

it('Faults of the syntax are marked while typing, where the image answers nothing too [issue 36.4]', async () => {
  await openOnDisk(disk, 'typed.lisp', '¦(list 1))\n\n(car nosuch-package:thing)\n');
  await press('End');
  await press('Space');
  await expect.poll(() => editorRegion().element().querySelector('.squiggly-error')).not.toBeNull();
  await press('Control+Shift+M');
  await expect.poll(() => having('no matching opening one')).toBe(1);
});

it('Problems of a file go with it when it is moved, at once or when its text is closed [issue 36.4]', async () => {
  answer({
    'compile.text': ({ evaluation, source, text }) => {
      const start = text.indexOf('(x)') + 1;
      return {
        report: reportOf(evaluation, []),
        result: {
          failed: false,
          warningsP: true,
          diagnostics: [
            {
              severity: 'style-warning',
              type: 'STYLE-WARNING',
              message: 'The variable X is defined but never used.',
              file: source.file,
              start,
              end: start + 1,
              line: 3,
              column: start - text.lastIndexOf('\n', start) - 1,
              context: 'unused',
            },
          ],
          total: 1,
          loaded: true,
          definitions: 1,
          fasl: null,
          refused: [],
        },
      };
    },
  });
  for (const name of ['closed', 'open']) {
    await openOnDisk(disk, `${name}.lisp`, '(in-package #:cl-user)\n\n(defun unused (x) 1)\n');
    await press('Control+Shift+B');
    await expect.element(page.getByText(new RegExp(`Compiled ${name}\\.lisp`)).first()).toBeVisible();
    if (name === 'closed') await press('Control+w');
  }
  await press('Control+Shift+M');
  await expect.poll(() => having('never used')).toBe(2);
  for (const name of ['closed', 'open']) disk.remove(`${name}.lisp`);
  await expect.poll(() => having('never used')).toBe(1);
  await expect.element(page.getByText('open.lisp no longer exists on disk. Its text exists only here.')).toBeVisible();
  await editorRegion().getByText('unused').last().click();
  await press('Control+w');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(listed).toEqual([]);
});

const place = () => region('Status bar').element().textContent;
const chip = () => editorRegion().element().querySelector('.inline-value')?.textContent ?? '';
/** Returns the text of the visible hover, because Monaco keeps several in the document. */
const hover = (): string =>
  [...document.querySelectorAll<HTMLElement>('.monaco-hover')].find(({ offsetHeight }) => offsetHeight > 0)
    ?.textContent ?? '';

/** Returns a diagnostic whose location is the first occurrence of a name in a text. */
function about(name: string, message: string, text: string, from = 0): Diagnostic {
  const start = text.indexOf(name, from);
  return {
    severity: 'style-warning',
    type: 'STYLE-WARNING',
    message,
    file: null,
    start,
    end: start + name.length,
    line: text.slice(0, start).split('\n').length,
    column: start - text.lastIndexOf('\n', start - 1) - 1,
    context: null,
  };
}

/** Returns the compiler's result for a text, with these diagnostics. */
function compiled(
  { evaluation, text, source }: { evaluation: string; text: string; source: SourcePlace },
  diagnostics: readonly Diagnostic[],
  parts: Partial<TextCompilationResult> = {},
) {
  const result = {
    failed: false,
    warningsP: diagnostics.length > 0,
    diagnostics: diagnostics.map((each) => ({
      ...each,
      file: source.file,
      start: each.start! + source.offset,
      end: each.end! + source.offset,
      line: each.line! + source.line - 1,
    })),
    total: diagnostics.length,
    loaded: true,
    definitions: text.split('\n(def').length - (text.startsWith('(def') ? 0 : 1),
    fasl: null,
    refused: [],
    ...parts,
  };
  return { report: reportOf(evaluation, []), result };
}

/** Sets the names that the image knows, with their kinds. */
function known(kinds: Readonly<Record<string, string>>): void {
  answer({
    'names.describe': ({ symbol }) => {
      const kind = kinds[symbol.toUpperCase()];
      const meaning = { lambdaList: null, documentation: null, value: null, source: null };
      return {
        described: {
          found: kind !== undefined,
          symbol,
          package: 'COMMON-LISP-USER',
          unknownPackage: false,
          meanings: kind === undefined ? [] : [{ kind, ...meaning }],
          near: [],
        },
        genericFunction: null,
      };
    },
  });
  core.tell('definitions-changed', {
    packages: [{ package: 'COMMON-LISP-USER', definitions: [], more: Object.keys(kinds).length }],
    removedPackages: [],
  });
}

it('Warnings of an evaluation are marked at their names, listed, and gone when the form is mended [B6, issue 36.4]', async () => {
  answer({
    'repl.evaluate': ({ evaluation, code }) => {
      const start = code.indexOf('country');
      const warning = {
        type: 'STYLE-WARNING',
        message: 'The variable COUNTRY is defined but never used.',
        start,
        end: start + 'country'.length,
      };
      const warnings = code.includes('cart country)\n') && !code.includes('cart country))') ? [warning] : [];
      return reportOf(evaluation, ['SHIPPING'], { warnings });
    },
  });
  await openOnDisk(disk, 'photo.png', '\uFFFDPNG\n)) (|\0#<\n');
  await openOnDisk(disk, 'shop.lisp', '¦(defun shipping (cart country)\n  (list cart))\n');
  await press('Alt+Enter');
  await expect.poll(() => editorRegion().element().querySelector('.squiggly-warning')).not.toBeNull();
  await press('Control+Shift+M');
  await expect.poll(() => having('COUNTRY')).toBe(1);
  expect(listed()).toHaveLength(2);
  await expect
    .element(region('Status bar').getByRole('button', { name: /Problems: 0 errors, 1 warning/ }))
    .toBeVisible();
  await press('F8');
  await expect.poll(place).toContain('Ln 1, Col 23');
  await expect.poll(hover).toContain('defined but never used');
  expect(hover()).not.toContain('F8');
  await press('Escape');
  await expect.poll(hover).toBe('');
  expect(having('COUNTRY')).toBe(1);
  for (let step = 0; step < 2; step += 1) {
    await press('F8');
    await expect.poll(hover).toContain('defined but never used');
  }
  await type('x');
  await expect.poll(hover).toBe('');
  await press('Control+z');
  await placeCaret('(defun shipping (cart country)\n  (list cart¦))\n');
  await type(' country');
  await expect.poll(listed).toEqual([]);
  await press('Alt+Enter');
  await expect.poll(chip).toContain('SHIPPING');
  expect(listed()).toEqual([]);
});

it('Warnings of undefined names go once the names are defined elsewhere, of compiled files and of evaluated forms [B6, issue 36.4]', async () => {
  const text =
    '(in-package #:cl-user)\n\n(defun caller () (missing 1))\n\n(defun other-caller () (missing *absent*))\n';
  const missing = 'undefined function: MISSING';
  answer({
    'compile.text': (asked) =>
      compiled(asked, [
        about('missing', missing, text),
        about('missing', missing, text, text.indexOf('other-caller')),
        about('*absent*', 'undefined variable: *ABSENT*', text),
      ]),
    'repl.evaluate': ({ evaluation, code }) => {
      const start = code.indexOf('missing');
      const warning = { type: 'STYLE-WARNING', message: missing, start, end: start + 'missing'.length };
      return reportOf(evaluation, ['CALLER'], { warnings: [warning] });
    },
  });
  known({});
  await openOnDisk(disk, 'callers.lisp', text);
  await press('Control+Shift+B');
  await press('Control+Shift+M');
  await expect.poll(() => having('undefined')).toBe(3);
  await placeCaret(text.replace('(defun caller', '¦(defun caller'));
  await press('Alt+Enter');
  await expect.poll(chip).toContain('CALLER');
  await expect.poll(() => having(missing)).toBe(2);
  known({ MISSING: 'function' });
  await expect.poll(() => having('undefined')).toBe(1);
  expect(having('undefined variable: *ABSENT*')).toBe(1);
  known({ MISSING: 'function', '*ABSENT*': 'variable' });
  await expect.poll(listed).toEqual([]);
  await expect.poll(() => editorRegion().element().querySelector('.squiggly-warning')).toBeNull();
});

it('Notes of a library do not hide the errors of the project, in the list, the counts and for F8 [issue 39.2]', async () => {
  const text = '(defun one (x) x)\n(defun two (y) (one y y))\n(defun three () (one))\n';
  await openOnDisk(disk, 'app.lisp', `¦${text}`);
  const library = '/home/ada/quicklisp/software/cl-ppcre/api.lisp';
  const note = (line: number) => ({
    ...about('one', `unable to optimize call ${line}`, text),
    severity: 'note' as const,
    file: library,
    line,
  });
  const error = (name: string) => ({
    ...about(name, `${name} is called with wrong arguments`, text),
    severity: 'error' as const,
    file: '/home/ada/shop/app.lisp',
  });
  core.tell('files-compiled', {
    evaluation: 'e1',
    files: [
      { file: library, diagnostics: Array.from({ length: 300 }, (_, at) => note(at + 1)) },
      { file: '/home/ada/shop/app.lisp', diagnostics: [error('two'), error('three')] },
    ],
  });
  await press('Control+Shift+M');
  await expect.poll(listed).toHaveLength(3);
  expect(listed()[0]).toContain('app.lisp');
  await expect.element(page.getByRole('tab', { name: 'Problems 2' })).toBeVisible();
  await expect
    .element(region('Status bar').getByRole('button', { name: 'Problems: 2 errors, 0 warnings' }))
    .toBeVisible();
  await press('Control+1');
  for (const line of [2, 3, 2]) {
    await press('F8');
    await expect.poll(place).toContain(`Ln ${line},`);
  }
  await region('Problems').getByRole('button', { name: 'Other files 300' }).click();
  await expect.poll(() => having('unable to optimize')).toBeGreaterThan(5);
  await region('Problems').getByRole('button', { name: 'Notes 300' }).click();
  await expect.poll(listed).toHaveLength(3);
  await region('Problems').getByRole('searchbox', { name: 'Problems filter' }).click();
  await type('three wrong');
  await expect.poll(listed).toHaveLength(2);
  expect(await faults()).toEqual([]);
  await type(' nowhere');
  await region('Problems').getByRole('button', { name: 'Show all 302' }).click();
  await expect.poll(() => having('unable to optimize')).toBeGreaterThan(5);
});

const evaluated = (code: string) => (evaluation: string) =>
  reportOf(evaluation, [], {
    status: 'error',
    condition: { type: code, message: 'It failed.', frames: [], phase: 'evaluation', offset: null },
  });
const errors = (): number => editorRegion().element().querySelectorAll('.inline-failed').length;

it('An error of a form is gone when text continues the form, or when the file is compiled without errors [issue 39.2]', async () => {
  let status = evaluated('END-OF-FILE');
  answer({
    'repl.evaluate': ({ evaluation }) => status(evaluation),
    'compile.text': ({ evaluation }) => ({
      report: reportOf(evaluation, []),
      result: {
        failed: false,
        warningsP: false,
        diagnostics: [],
        total: 0,
        loaded: true,
        definitions: 1,
        fasl: null,
        refused: [],
      },
    }),
  });
  const drawn = '(defun one ()\n  (list 1)¦\n\n';
  await openOnDisk(disk, 'open.lisp', drawn);
  await press('Alt+Enter');
  await expect.poll(errors).toBe(1);
  await press('ArrowDown');
  await type(')');
  await expect.poll(errors).toBe(0);

  status = evaluated('PACKAGE-ERROR');
  await openOnDisk(disk, 'other.lisp', '(shop:total 1)¦\n');
  await press('Alt+Enter');
  await expect.poll(errors).toBe(1);
  await press('Control+Shift+B');
  await expect.element(page.getByText(/Compiled other\.lisp/).first()).toBeVisible();
  await expect.poll(errors).toBe(0);
  await expect.poll(listed).toEqual([]);
});
