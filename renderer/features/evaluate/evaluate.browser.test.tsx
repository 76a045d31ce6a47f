/** Evaluating forms in the editor and the REPL: the requests to the image, and where the results appear. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { type Disk, openDisk, openOnDisk, tabs } from '../../disk.fixture.ts';
import { conditionOf, debuggerHead, reportOf } from '../../image.fixture.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, insert, snapshotWith, type, type FakeCore } from '../../window.fixture.tsx';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const repl = () => region('REPL');
const input = () => page.getByRole('textbox', { name: 'REPL input' });
const opened = () => editorRegion().getByRole('group', { name: /^Result of/ });
const chips = (className = 'inline-value'): string[] =>
  [...editorRegion().element().querySelectorAll(`.${className}`)].map(({ textContent }) =>
    textContent.replaceAll('\u00a0', ' '),
  );
const chip = () => chips().join('');

/** Evaluates code at the REPL as a person does. */
async function evaluate(code: string): Promise<void> {
  await input().click();
  await insert(code);
  await press('Control+Enter');
}

/** Returns the last evaluation request to the image. */
const asked = () =>
  core.calls.findLast(({ name }) => name === 'repl.evaluate')?.input as { code: string; origin: string };

/** Answers each evaluation with the report that `reports` contains for its code. */
function image(reports: Readonly<Record<string, string | readonly string[] | Partial<EvaluationReport>>>): void {
  answer({
    'repl.evaluate': ({ evaluation, code }) => {
      const known = reports[code];
      if (known === undefined) throw new Error(`Nothing is known of ${code}.`);
      if (typeof known === 'string') return reportOf(evaluation, [known]);
      return 'length' in known ? reportOf(evaluation, known) : reportOf(evaluation, [], known);
    },
  });
}

it('A definition typed in the editor is evaluated, called in the REPL and seen in the browser [D3, D5, D8, issue 36.4]', async () => {
  const text = '(defun area (r)\n  (* r r))';
  image({ [text]: 'AREA', '(area 12)': '144' });
  await press('Control+n');
  await expect.poll(() => tabs().elements().length).toBe(1);
  await insert(text);
  await press('Alt+Enter');
  await expect.poll(chip).toBe('=> AREA');
  expect(asked()).toMatchObject({ code: text, origin: 'editor', source: { offset: 0, line: 1 }, repl: 'person' });
  const area = { kind: 'function' as const, name: 'AREA', lambdaList: '(R)', value: null, documentation: null };
  const made = { source: null, actor: 'person', event: 1, evaluation: 'e', time: 1 };
  core.tell('definitions-changed', {
    packages: [{ package: 'COMMON-LISP-USER', definitions: [{ ...area, ...made }], more: 0 }],
    removedPackages: [],
  });
  await expect.element(region('Definitions').getByRole('treeitem', { name: 'area' })).toBeVisible();
  await evaluate('(area 12)');
  await expect.element(repl()).toMatchTextContent('144');
  expect(asked()).toMatchObject({ code: '(area 12)', origin: 'repl', source: null });
});

it('Ctrl+Enter evaluates the form at the cursor alone [D3, issue 36.4]', async () => {
  image({ '(+ 20 22)': '42' });
  await openOnDisk(disk, 'form.lisp', '(list :whole (+ 20 22)¦)');
  await press('Control+Enter');
  await expect.poll(chip).toBe('=> 42');
});

describe('errors in the window', () => {
  for (const [name, code, condition] of [
    ['an incomplete form', '(+ 1', conditionOf('END-OF-FILE', 'end of file', 'reader')],
    [
      'a wrong package',
      '(no-such-package:thing)',
      conditionOf('READER-ERROR', 'Package NO-SUCH-PACKAGE does not exist.', 'reader'),
    ],
    ['a wrong type', '(car 1)', conditionOf('TYPE-ERROR', 'The value\n  1\nis not of type\n  LIST')],
  ] as const)
    it(`The REPL shows an error where the person looks: ${name} [E7, E39, D5, issue 36.4]`, async () => {
      image({ [code]: { status: 'error', condition }, '(+ 40 2)': '42' });
      await evaluate(code);
      await expect.element(repl()).toMatchTextContent(condition.type);
      await expect.element(repl()).toMatchTextContent(condition.message.replaceAll(/\s+/g, ' '));
      await evaluate('(+ 40 2)');
      await expect.element(repl()).toMatchTextContent('42');
    });

  it('Code that is not balanced is told in the REPL with its place and what mends it [D5, issue 36.4]', async () => {
    const code = '(defun bad (x)\n  (let ((y 1)\n    (print y))\n  x)';
    image({ [code]: { status: 'error', condition: conditionOf('END-OF-FILE', 'end of file', 'reader') } });
    await evaluate(code);
    await expect.element(repl()).toMatchTextContent('Insert ) at the end of line 2.');
  });

  it('The editor and the REPL show an error of type where the person looks, and lead to its debugger [E39, D3, D5, issue 36.4]', async () => {
    const ends: (() => void)[] = [];
    answer({
      'repl.evaluate': ({ evaluation, code }) => {
        if (code !== '(car 1)') return reportOf(evaluation, ['42']);
        const head = debuggerHead(evaluation, 'TYPE-ERROR', 'The value 1 is not of type LIST', code);
        core.tell('debuggers-changed', { debuggers: [head], gone: null });
        const condition = conditionOf('ABORT', 'The evaluation was left.');
        return new Promise((resolve) =>
          ends.push(() => resolve(reportOf(evaluation, [], { status: 'error', condition }))),
        );
      },
    });
    await openOnDisk(disk, 'form.lisp', '(car 1)¦');
    await press('Control+Enter');
    await expect.poll(chip).toBe('TYPE-ERROR');
    await expect.poll(() => chips('inline-link')).toEqual(['Show']);
    await expect.element(repl().getByRole('article')).toMatchTextContent('TYPE-ERRORThe value 1 is not of type LIST');
    await expect.element(repl()).toMatchTextContent('in the debugger');
    await evaluate('(+ 40 2)');
    await expect.element(repl()).toMatchTextContent('42');
    core.tell('debuggers-changed', { debuggers: [], gone: null });
    for (const end of ends) end();
    await expect.poll(chip).toBe('ABORT The evaluation was left.');
  });
});

describe('a line that code reads', () => {
  /** Simulates code that reads a line from the person and returns the line. */
  function reading(): void {
    const reads = new Map<string, (text: string | null) => void>();
    const { session } = snapshotWith();
    answer({
      'repl.evaluate': ({ evaluation, code }) => {
        const actor = { id: 'person', kind: 'person' as const, name: 'you' };
        const suspended = [{ evaluation, actor, summary: code, startedAt: 1 }];
        core.tell('output', [{ evaluation, stream: 'stdout', text: 'Name? ', left: 0 }]);
        core.tell('session-changed', { ...session, state: 'waiting-for-input', suspended });
        core.tell('input-requested', { evaluation, image: 'shared' });
        return new Promise((resolve) => {
          reads.set(evaluation, (text) => {
            core.tell('session-changed', session);
            core.tell('output', [
              { evaluation, stream: 'input', text: text ?? '', left: 0 },
              { evaluation, stream: 'stdout', text: 'Thanks.', left: 0 },
            ]);
            resolve(reportOf(evaluation, [`(:READ "${text?.trimEnd()}")`]));
          });
        });
      },
      'repl.input': ({ evaluation, text }) => {
        reads.get(evaluation)!(text);
        return {};
      },
    });
  }
  const notice = () => page.getByText('Your code waits for a line of input.');

  it('The person is asked for input in the REPL, and the transcript has the answer where it was given [D5, issue 36.4]', async () => {
    reading();
    await evaluate('(progn (princ "Name? ") (prog1 (list :read (read-line)) (princ "Thanks.")))');
    await expect.element(repl()).toMatchTextContent('The program is waiting for a line');
    await expect.element(notice()).not.toBeInTheDocument();
    await input().click();
    await insert('typed by hand');
    await press('Enter');
    await expect.element(repl()).toMatchTextContent('(:READ "typed by hand")');
    await expect.element(repl().getByRole('article').first()).toMatchTextContent('Name? typed by hand Thanks.');
  });

  it('Code of the editor that reads a line while another panel is shown says so, and leads to where it is typed [D5, issue 36.4]', async () => {
    reading();
    await press('Control+Shift+M');
    await openOnDisk(disk, 'read.lisp', '(list :read (read-line))¦');
    await press('Control+Enter');
    await expect.element(notice()).toBeVisible();
    await page.getByRole('button', { name: /^Show \(/ }).click();
    await expect.element(notice()).not.toBeInTheDocument();
    await expect.element(input()).toHaveFocus();
    await type('by hand');
    await press('Enter');
    await expect.poll(chip).toBe('=> (:READ "by hand")');
  });
});

it('Reader and printer are reset from the menu of the REPL [D5, issue 36.4]', async () => {
  answer({ 'repl.resetReader': () => ({}) });
  await page.getByRole('button', { name: 'REPL menu' }).click();
  await page.getByRole('menuitem', { name: /^Reset Reader and Printer/ }).click();
  await expect
    .element(page.getByRole('status').filter({ hasText: 'The reader and printer were reset.' }))
    .toBeVisible();
  expect(core.calls.filter(({ name }) => name === 'repl.resetReader')).toEqual([
    { name: 'repl.resetReader', input: { repl: 'person' } },
  ]);
});

describe('opened results', () => {
  it('Open Result goes by keys alone: into the text, to what was printed, and back by Escape [issue 36.4]', async () => {
    const code = '(progn (format t "~{line ~D~%~}" (list 1 2 3)) (values 1 (list 2 3)))';
    const text = 'line 1\nline 2\nline 3\n';
    answer({
      'repl.evaluate': ({ evaluation }) => {
        core.tell('output', [{ evaluation, stream: 'stdout', text, left: 0 }]);
        return reportOf(evaluation, ['1', '(2 3)']);
      },
      'output.part': () => ({
        problem: null,
        printed: { text, part: 0, parts: 1, line: 0, lines: 4, characters: text.length },
      }),
    });
    await openOnDisk(disk, 'printed.lisp', `¦${code}\n`);
    const output = opened().getByRole('button', { name: /^Output/ });
    const hasFocus = () => editorRegion().element().querySelectorAll('.monaco-editor.focused').length;
    await press('Control+Enter');
    await expect.poll(chip).toBe('=> 1, (2 3)');
    await press('Control+Alt+Enter');
    await expect.element(opened()).toMatchTextContent('2 values in');
    await expect.element(opened().getByRole('document')).toHaveFocus();
    await expect.element(output).toBeVisible();
    await press('Shift+Tab', 2);
    await expect.element(output).toHaveFocus();
    await press('Escape');
    await expect.element(opened()).not.toBeInTheDocument();
    // The first Escape closes the opened result, the second clears the results of the line.
    expect(chips()).toHaveLength(1);
    await expect.poll(hasFocus).toBe(1);
    await press('Control+Alt+Enter');
    await expect.element(opened().getByRole('document')).toHaveFocus();
    await press('Shift+Tab', 2);
    await press('Enter');
    await expect.element(editorRegion().getByRole('tab', { selected: true })).toMatchTextContent('Output of');
    await expect.poll(shownText).toContain('line 3');
    await press('Control+w');
    await expect.element(editorRegion().getByRole('tab', { selected: true })).toMatchTextContent('printed.lisp');
    await press('Escape');
    await expect.poll(() => chips()).toEqual([]);
  });

  it('An error opens with its whole message and its backtrace [issue 36.4]', async () => {
    const frames = [{ index: 0, call: '(DEEP "thing")' }];
    const condition = { ...conditionOf('SIMPLE-ERROR', 'No thing,\nand no other thing.'), frames };
    image({ '(deep "thing")': { status: 'error', condition } });
    await openOnDisk(disk, 'deep.lisp', '(defun deep (x) (error "No ~A,~%and no other ~A." x x))\n(deep "thing")¦\n');
    await press('Alt+Enter');
    await expect.poll(() => chips('inline-failed').join('')).toContain('No thing, and no other thing.');
    await page.elementLocator(editorRegion().element().querySelector('.inline-failed')!).click();
    await expect.element(opened()).toHaveAccessibleName('Result of (deep "thing")');
    await expect.element(opened()).toMatchTextContent('failed after');
    await expect.element(opened().getByRole('list', { name: 'Backtrace' })).toMatchTextContent('DEEP');
  });
});
