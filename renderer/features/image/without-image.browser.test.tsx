/**
 * The window while the image is busy, stopped or missing. Features that need only the source texts still work, and all others report the
 * reason.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Session } from '#contract/image/session.ts';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { conditionOf, reportOf } from '../../image.fixture.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import {
  answer,
  insert,
  NO_IMAGE,
  openWholeWindow,
  press,
  snapshotWith,
  type,
  type FakeCore,
} from '../../window.fixture.tsx';

const SHOP = `(in-package :cl-user)

(defun total-price (cart &key discount)
  (- (reduce #'+ cart)
     (or discount 0)))

;; Two lines
;; of a comment.
(defun receipt (cart)
  (list :total
        (total-price cart)))
`;
const TAX = `(in-package :cl-user)

(defmacro with-tax ((country) &body body)
  \`(let ((*country* ,country)) ,@body))

(defun tax-of (cents)
  (round cents 5))

(defclass basket ()
  ((wares :initarg :wares)))
`;

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

const status = () => region('Status bar');
const selected = () => page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { selected: true });
const drawn = (className: string): string[] =>
  [...editorRegion().element().querySelectorAll(`.${className}`)].map(({ textContent }) =>
    textContent.replaceAll('\u00a0', ' '),
  );
const suggested = (): string =>
  document.querySelector('.suggest-widget.visible .monaco-list-row.focused')?.textContent ?? '';
const input = () => page.getByRole('textbox', { name: 'REPL input' });

/** Opens a project with two files that the image never loaded. One of them is open, with the caret at its end. */
async function openShop(): Promise<void> {
  disk.write('src/tax.lisp', TAX);
  answer({
    'project.naming': ({ name }) => ({ files: TAX.includes(name) ? ['src/tax.lisp'] : [] }),
    'project.definitions': ({ name }) => ({
      places: name === 'tax-of' ? [{ file: '/home/ada/shop/src/tax.lisp', line: 6 }] : [],
    }),
    'project.search': ({ pattern }) => ({
      lines: [
        {
          file: 'src/tax.lisp',
          line: 3,
          text: '(defmacro with-tax ((country) &body body)',
          column: 11,
          marks: [[10, 10 + pattern.length]],
        },
      ],
      total: 1,
      files: 1,
      searched: 2,
      unfinished: false,
    }),
  });
  await openOnDisk(disk, 'src/shop.lisp', `${SHOP}¦`);
}

/** Answers all requests about names with this function. */
function answerNames(answered: () => Promise<null> | null): void {
  answer({
    'names.complete': answered,
    'names.arglist': answered,
    'names.describe': answered,
    'names.definitions': answered,
    'names.slots': answered,
    'names.references': answered,
    'names.features': answered,
    'names.checkSyntax': answered,
  });
}

describe.each([
  [
    'the process of the image is stopped',
    { replyMs: null, silence: { since: 1, stopped: true } },
    (): Promise<null> => new Promise(() => {}),
  ],
  ['there is no image', NO_IMAGE, () => null],
] as [string, Partial<Session>, () => Promise<null> | null][])('while %s', (name, state, answered) => {
  beforeEach(async () => {
    core.tell('session-changed', { ...snapshotWith().session, ...state });
    answerNames(answered);
    await openShop();
  });

  it(`Forms are closed and indented, and names of the form, of the text and of the standard completed, while ${name} [issue 36.4]`, async () => {
    await type('\n(defun customer-total (customer-cart)');
    await press('Enter');
    await type('(let ((cheapest-item 1))');
    await press('Enter');
    await expect.poll(shownText).toContain('(customer-cart)\n  (let ((cheapest-item 1))\n    ');
    await expect.element(status()).toMatchTextContent('Ln 15, Col 5');
    await type('(list cheapest-');
    await expect.poll(suggested).toContain('cheapest-item');
    await press('Tab');
    await type(' customer-c');
    await expect.poll(suggested).toContain('customer-cart');
    await press('Tab');
    await type(' (nth-val');
    await expect.poll(suggested).toContain('nth-value');
    await press('Tab');
    await type(' (tax-of 5');
    await press('Escape');
    await expect.poll(shownText).toContain('(list cheapest-item customer-cart (nth-value (tax-of 5)');
  });

  it(`A definition and a slot are gone to in a file that nobody opened, and back, while ${name} [issue 36.4]`, async () => {
    await insert('\n(list (tax-of 5)');
    await press('ArrowLeft', 4);
    await press('F12');
    await expect.element(selected()).toMatchTextContent('tax.lisp');
    await expect.element(status()).toMatchTextContent('Ln 6, Col');
    await press('Alt+ArrowLeft');
    await expect.element(selected()).toMatchTextContent('shop.lisp');
    await expect.element(status()).toMatchTextContent('Ln 13, Col');
    // On a keyword argument, the command goes to the slot that the keyword initializes.
    await press('Control+End');
    await press('Enter');
    await insert("(make-instance 'basket :wares 1)");
    await press('ArrowLeft', 4);
    await press('F12');
    await expect.element(selected()).toMatchTextContent('tax.lisp');
    await expect.element(status()).toMatchTextContent('Ln 10, Col 5');
    await press('Alt+ArrowLeft');
    await expect.element(selected()).toMatchTextContent('shop.lisp');
  });

  it(`An unclosed form is a problem until it is closed, and forms are found, while ${name} [issue 36.4]`, async () => {
    await insert('\n(never closed');
    await expect.poll(() => drawn('squiggly-error').length).toBeGreaterThan(0);
    await insert(')');
    await expect.poll(() => drawn('squiggly-error').length).toBe(0);
    await press('Control+Shift+R');
    await expect.element(page.getByRole('combobox', { name: 'Command field' })).toHaveFocus();
    await insert('receipt');
    await expect.element(page.getByRole('option', { name: /receipt/ }).first()).toBeVisible();
    await press('Enter');
    await expect.element(status()).toMatchTextContent('Ln 9, Col');
    await press('Control+Shift+F');
    await expect.element(region('Search').getByRole('textbox', { name: 'Find in files' })).toHaveFocus();
    await insert('with-tax');
    await press('Enter');
    await expect.element(region('Search')).toMatchTextContent('(defmacro with-tax');
  });
});

it('What does not work with this SBCL stands in the status bar, and everything else works [issue 36.4]', async () => {
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['42']) });
  core.tell('session-changed', {
    ...snapshotWith().session,
    lacking: [
      { feature: 'stepping', names: ['SB-IMPL:STEPPING-ENABLED-P'] },
      { feature: 'profiling', names: ['SB-SPROF:START-PROFILING', 'SB-SPROF:STOP-PROFILING'] },
    ],
  });
  const lisp = status().getByRole('note', { name: /some features do not work/ });
  await expect.element(lisp).toMatchTextContent(/^SBCL \S+, some features do not work$/);
  await expect
    .element(lisp)
    .toHaveAccessibleName(
      /stepping \(SBCL lacks SB-IMPL:STEPPING-ENABLED-P\); profiling \(SBCL lacks SB-SPROF:START-PROFILING/,
    );
  await input().click();
  await insert('(* 6 7)');
  await press('Control+Enter');
  await expect.element(region('REPL')).toMatchTextContent('42');
});

it('An image that dies in an evaluation from the editor is told there, and the text stays [K6, issue 36.4]', async () => {
  const message = 'The image ended with exit code 9 while evaluating (sb-ext:exit :code 9 :abort t).';
  answer({
    'repl.evaluate': ({ evaluation }) =>
      reportOf(evaluation, [], { status: 'lost', condition: conditionOf('LOST', message) }),
  });
  const text = '(sb-ext:exit :code 9 :abort t)';
  await openOnDisk(disk, 'exit.lisp', `${text}¦`);
  await press('Control+Enter');
  await expect.poll(() => drawn('inline-value').join('')).toContain('exit code 9');
  expect(shownText()).toBe(text);
});
