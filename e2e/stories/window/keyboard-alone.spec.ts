/** Stories in which a person works for an hour without a mouse: nothing is clicked, and only keys move the focus. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';
import { openReview } from '../../desktop/reviewing.ts';
import { focusOf } from '../../desktop/spoken.ts';

const FILES = {
  'till.asd': `(defsystem "till" :components ((:file "till")) :in-order-to ((test-op (test-op "till/tests"))))
(defsystem "till/tests" :depends-on ("till" "fiveam") :components ((:file "tests"))
  :perform (test-op (o c) (symbol-call :fiveam '#:run! (find-symbol* '#:till :till/tests))))
`,
  'till.lisp': `(defpackage :till (:use :cl) (:export #:total #:change #:book))
(in-package :till)
(defclass thing () ((name :initarg :name :accessor name-of)))
(defclass book (thing) ((pages :initform 1)))
(defun total (prices) (reduce #'+ prices))
(defun change (paid price)
  (if (< paid price) (error "~A is not enough for ~A." paid price) (- paid price)))
`,
  'tests.lisp': `(defpackage :till/tests (:use :cl :fiveam :till))
(in-package :till/tests)
(def-suite till)
(in-suite till)

(test adds
  (is (= 6 (total '(1 2 3)))))

(test lists
  (is (equal 7 (total '(3 5)))))
`,
};

/** A person who uses only the keyboard. The position of the focus is determined as a screen reader reports it. */
class Person {
  readonly #desktop: Desktop;

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
  }

  /** Presses keys, one after the other. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#desktop.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#desktop.page.keyboard.type(text);
  }

  /** Runs a command by its name. */
  async run(command: string): Promise<void> {
    await this.press('Control+Shift+P');
    await this.type(command);
    await this.press('Enter');
  }

  /** Waits until the focus is on the node with this role and name. */
  async isAt(node: string | RegExp): Promise<void> {
    const at = expect.poll(() => focusOf(this.#desktop.page), { message: `The focus should be at ${String(node)}` });
    await (typeof node === 'string' ? at.toBe(node) : at.toMatch(node));
  }

  /** Presses a key until the focus is on the node. @throws Error if the focus is not there after 40 presses. */
  async goTo(node: string | RegExp, key = 'Tab'): Promise<void> {
    const way: string[] = [];
    for (let steps = 0; steps < 40; steps += 1) {
      const at = await focusOf(this.#desktop.page);
      if (typeof node === 'string' ? at === node : node.test(at)) return;
      way.push(at);
      await this.press(key);
    }
    throw new Error(`${key} should lead to ${String(node)}, not to ${way.join(', ')}`);
  }
}

test('A file is edited, debugged, tested and browsed, and an agent is answered, with the keyboard alone [D17, issue 12.2]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const person = new Person(desktop);
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(desktop.project, name), text);
  const file = path.join(desktop.project, 'till.lisp');
  const inTill = 'textbox Text of till.lisp';
  const inTests = 'textbox Text of tests.lisp';
  const inInspector = /^(treeitem|option|row) /;
  const open = async (name: string): Promise<void> => {
    await person.press('Control+p');
    await person.isAt(/^option /);
    await person.type(name);
    await expect(page.getByRole('option', { name: new RegExp(name.replace('.', '\\.')) }).first()).toBeVisible();
    await person.press('Enter');
    await person.isAt(`textbox Text of ${name}`);
  };
  const selected = (list: Locator): Locator => list.locator('[aria-selected="true"]');

  await test.step('The first key goes to the REPL, which loads the system', async () => {
    await person.isAt('textbox REPL input');
    await person.type('(asdf:load-system "till/tests")');
    await person.press('Enter');
    await expect(desktop.region('REPL')).toContainText('=> T', { timeout: 120_000 });
    await person.isAt('textbox REPL input');
  });

  await test.step('A file is opened, edited and evaluated', async () => {
    await open('till.lisp');
    await person.press('Control+End');
    await person.type('(change 2 3)');
    await person.press('Alt+Enter');
    await expect(desktop.region('Editor')).toContainText('in the debugger');
    // The text keeps the focus.
    await person.isAt(inTill);
  });

  await test.step('The debugger tells frames and variables, and a restart is chosen', async () => {
    const panel = desktop.region('Debugger');
    await person.press('Control+Shift+g');
    await person.isAt(/^option 1 \(CHANGE 2 3\)/);
    await expect(selected(panel.getByRole('listbox', { name: 'Frames' }))).toContainText('(CHANGE 2 3)');
    await person.goTo('button Inspect 2');
    await person.press('Enter');
    // The value is shown next to the debugger, which keeps the focus until the person moves it.
    await expect(desktop.region('Inspector')).toContainText('2');
    await person.isAt('button Inspect 2');
    await person.press('Control+Alt+i');
    await person.isAt('group No parts');
    await person.press('Escape');
    await person.isAt(inTill);
    await person.press('Control+Shift+g');
    await person.goTo(/^button 1 ABORT/, 'Shift+Tab');
    await person.press('Enter');
    await expect(panel).toBeHidden();
    await person.isAt(inTill);
    await person.press('Control+Shift+k', 'Control+s');
    await expect.poll(() => readFile(file, 'utf8')).not.toContain('(change 2 3)');
  });

  await test.step('A value is inspected part by part', async () => {
    await person.press('Control+Backquote');
    await person.isAt('textbox REPL input');
    await person.type('(list (make-instance \'till:book :name "A") 1)');
    await person.press('Enter');
    await expect(desktop.region('REPL')).toContainText('TILL:BOOK');
    await person.run('Inspect Last REPL Value');
    const inspector = desktop.region('Inspector');
    await expect(inspector).toContainText('TILL:BOOK');
    await person.isAt('textbox REPL input');
    await person.press('Control+Alt+i');
    await person.isAt(inInspector);
    await person.press('Enter');
    await expect(inspector).toContainText(/PAGES/i);
    await person.press('Alt+ArrowLeft');
    await expect(inspector).not.toContainText(/PAGES/i);
    await person.isAt(inInspector);
    await person.press('Escape');
    await person.isAt('textbox REPL input');
  });

  await test.step('The definition of a name is gone to, and back', async () => {
    await open('tests.lisp');
    await person.press('Control+g');
    await person.type('7:13');
    await person.press('Enter');
    await person.isAt(inTests);
    await person.press('F12');
    await person.isAt(inTill);
    await expect(desktop.region('Status bar')).toContainText('Ln 5');
    await person.press('Alt+ArrowLeft');
    await person.isAt(inTests);
    await person.press('Shift+F12');
    await expect(desktop.region('References').getByRole('treeitem').first()).toBeVisible();
    await person.press('Control+1');
    await person.isAt(inTests);
  });

  await test.step('A failing test is found, mended and passes', async () => {
    await person.press('Control+;', 't');
    const tree = desktop.region('Tests').getByRole('tree', { name: 'Tests of the image' });
    await person.isAt(/^treeitem till\/tests/);
    await person.press('Control+;', 'a');
    await expect(desktop.region('Tests').getByRole('status')).toHaveText('1 of 2 passed, 1 failed');
    await person.press('Home');
    await person.goTo(/^treeitem lists, failed/, 'ArrowDown');
    await expect(selected(tree)).toHaveAccessibleName(/^lists, failed/);
    await person.press('v');
    await person.isAt(inTests);
    await expect(desktop.region('Status bar')).toContainText('Ln 9');
    await person.press('ArrowDown', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    for (let step = 0; step < 7; step += 1) await person.press('ArrowRight');
    await person.press('Delete');
    await person.type('8');
    await person.press('Control+;', 'c');
    await expect(page.getByText('lists was evaluated first. 1 test: 1 passed.')).toBeVisible();
    await person.isAt(inTests);
    await person.press('Control+s');
    const saved = (): Promise<string> => readFile(path.join(desktop.project, 'tests.lisp'), 'utf8');
    await expect.poll(saved).toContain("(equal 8 (total '(3 5)))");
  });

  await test.step('Tab leads out of the text after Ctrl+M, as the list of keys says, and F6 around the window', async () => {
    await person.press('F1');
    await person.isAt('searchbox Find a command or its keys');
    await person.type('tab key');
    await expect(page.getByRole('dialog', { name: 'Keys and commands' })).toContainText(
      /Tab Key Moves the Focus: On or OffCtrlM/,
    );
    await person.press('Escape', 'Escape');
    await person.isAt(inTests);
    await person.press('Control+m');
    await expect(page.getByRole('status', { name: 'Keys' })).toHaveText('Tab now moves to the next control.');
    await person.press('Tab');
    await expect.poll(() => focusOf(page)).not.toBe(inTests);
    await person.press('Control+1', 'Control+m');
    await expect(page.getByRole('status', { name: 'Keys' })).toHaveText('Tab indents in the editor again.');
    await person.isAt(inTests);
    const round: string[] = [];
    do {
      await person.press('F6');
      round.push(await focusOf(page));
    } while (round.at(-1) !== inTests && round.length < 20);
    expect(round.filter((at) => at.startsWith('RootWebArea'))).toEqual([]);
    expect(round.at(-1)).toBe(inTests);
    expect(round.length).toBeGreaterThan(5);
  });

  await test.step('Systems, classes and their graph are browsed', async () => {
    await person.press('Control+Shift+Y');
    await person.isAt('searchbox Systems filter');
    await person.type('till');
    await person.press('ArrowDown');
    await person.isAt(/^option .*till/);
    await person.press('Enter');
    await expect(desktop.region('Details of till')).toBeVisible();
    await person.goTo(/^button (Load|Reload): till/);
    await person.press('Escape');
    await person.isAt(inTests);

    await person.press('Control+2');
    await person.isAt('searchbox Symbols whose name contains');
    await person.goTo('tab Apropos', 'Shift+Tab');
    // The arrow keys move through all tabs, and Enter opens the tab with the focus.
    await person.press('ArrowRight', 'ArrowRight', 'ArrowLeft');
    await person.isAt('tab Classes');
    await person.press('Enter');
    await person.isAt('searchbox Classes whose name contains');
    // The class is found by its name, and then shown with its relatives.
    await person.type('book');
    await expect(desktop.region('Browser').getByRole('treeitem', { name: 'till:book, class' })).toBeVisible();
    await person.press('ArrowDown', 'Home');
    await person.isAt('treeitem till:book, class');
    await expect(desktop.region('Browser').getByLabel('till:book', { exact: true })).toContainText('pages');
    await person.goTo('searchbox Classes whose name contains', 'Shift+Tab');
    await person.press('Escape');
    await person.isAt('searchbox Classes whose name contains');
    await person.goTo('radio List');
    await person.press('ArrowRight');
    const graph = desktop.region('Browser').getByRole('tree', { name: 'Graph of classes' });
    await expect(graph.getByRole('treeitem', { name: /book, class/ })).toBeVisible();
    await person.goTo(/^treeitem .*book, class/);
    await person.press('ArrowLeft');
    await person.isAt(/^treeitem .*thing, class/);
    await person.press('Escape');
    await person.isAt(inTests);
  });

  await test.step('A setting is found and changed', async () => {
    await person.press('Control+,');
    await person.isAt('searchbox Find a setting');
    await person.type('wrap');
    await person.goTo('radio Off');
    await person.press('ArrowRight');
    await person.isAt('radio On');
    await expect.poll(async () => (await desktop.snapshot()).settings.wordWrap).toBe(true);
    await person.press('Escape');
    await person.isAt(inTests);
  });

  await test.step('A request of an agent is approved in Review', async () => {
    const agent = await desktop.agent('codex');
    const answer = agent.call('write-file', { path: 'notes.txt', content: 'By codex.' });
    const review = await openReview(desktop);
    await expect.poll(() => focusOf(review)).toMatch(/^article /);
    const approve = review.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeEnabled();
    await expect
      .poll(async () => {
        await review.keyboard.press('Tab');
        return focusOf(review);
      })
      .toBe('button Approve');
    await review.keyboard.press('Space');
    expect((await answer).isError).toBe(false);
    await expect.poll(() => focusOf(review)).toMatch(/^paragraph/);
    await expect(review.getByText('No requests are waiting.')).toBeFocused();
    await review.keyboard.press('Escape');
    await expect.poll(async () => (await desktop.snapshot()).reviewOpen).toBe(false);
    await person.isAt(inTests);
    await person.type(';; Goes on.');
    await expect(desktop.region('Editor')).toContainText(';; Goes on.');
    await agent.close();
  });
});
