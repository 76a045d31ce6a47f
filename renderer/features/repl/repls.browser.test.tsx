/** Several REPLs of one image: their separate tabs, drafts and packages, the shared queue, the REPLs' names, and closing them. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { reportOf } from '../../image.fixture.ts';
import { evaluate, newText } from '../../steps.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import {
  answer,
  type FakeCore,
  faults,
  insert,
  openWholeWindow,
  press,
  snapshotWith,
  type,
} from '../../window.fixture.tsx';
import { restoreReplInput } from './input/input-store.ts';

const PERSON = { id: 'person', kind: 'person' as const, name: 'you' };

let core: FakeCore;
let repls: ReplRecord[];

const repl = () => region('REPL');
const box = () => page.getByRole('textbox', { name: 'REPL input' });
const tabs = () => repl().getByRole('tablist', { name: 'REPLs' });
const tab = (name: string) => tabs().getByRole('tab', { name, exact: true });

beforeEach(async () => {
  const first = snapshotWith();
  ({ repls } = first);
  core = await openWholeWindow(first, {
    'repl.open': () => {
      const opened = { id: 'repl-2', name: 'REPL 2', image: 'shared', package: 'COMMON-LISP-USER', wanted: null };
      tell([...repls, opened]);
      return opened;
    },
    'repl.rename': ({ repl: id, name }) => {
      tell(repls.map((each) => (each.id === id ? { ...each, name } : each)));
      return {};
    },
    'repl.close': ({ repl: id }) => {
      tell(repls.filter((each) => each.id !== id));
      return {};
    },
  });
  restoreReplInput(first.workspace);
});

function tell(changed: ReplRecord[]): void {
  repls = changed;
  core.tell('repls-changed', repls);
}

/** Waits for a value in the visible transcript. */
async function shown(text: string): Promise<void> {
  await expect.element(repl().getByRole('button', { name: `Inspect ${text}`, exact: true })).toBeVisible();
}

/** Simulates an image that runs one evaluation at a time while others wait in the queue. LOOP runs until it is interrupted. */
function oneTurn(): void {
  const queue: { readonly evaluation: string; readonly code: string; readonly go: () => void }[] = [];
  let interruptRunning = (): void => {};
  const told = (): void => {
    const [running, ...waiting] = queue;
    const at = (each: (typeof queue)[number]) => ({ evaluation: each.evaluation, actor: PERSON, summary: each.code });
    const session: Session = {
      ...snapshotWith().session,
      state: running ? 'evaluating' : 'idle',
      running: running ? { ...at(running), startedAt: Date.now() } : null,
      waiting: waiting.map(at),
    };
    core.tell('session-changed', session);
  };
  answer({
    'repl.evaluate': async ({ evaluation, code }) => {
      const turn = Promise.withResolvers<void>();
      queue.push({ evaluation, code, go: turn.resolve });
      if (queue.length === 1) turn.resolve();
      told();
      await turn.promise;
      const isLoop = code === '(loop)';
      if (isLoop) await new Promise<void>((resolve) => (interruptRunning = resolve));
      queue.shift();
      told();
      queue[0]?.go();
      return isLoop ? reportOf(evaluation, [], { status: 'interrupted' }) : reportOf(evaluation, ['42']);
    },
    'session.interrupt': () => {
      interruptRunning();
      return { interrupted: true };
    },
    'repl.close': ({ repl: id }) => {
      interruptRunning();
      tell(repls.filter((each) => each.id !== id));
      return {};
    },
  });
}

it('Two REPLs of one image share its definitions, and each has its own transcript, draft, package and last values [D5, decision 22]', async () => {
  answer({
    'repl.evaluate': ({ evaluation, code, repl: id }) => {
      const isFirst = id === FIRST_REPL;
      if (code.includes('(in-package :aside)'))
        tell(repls.map((each) => (each.id === id ? { ...each, package: 'ASIDE' } : each)));
      const last = isFirst ? '(42 "COMMON-LISP-USER")' : '(100 "ASIDE")';
      const values: Record<string, string> = {
        '(twice 21)': '42',
        '(cl-user::twice 50)': '100',
        '(list * (package-name *package*))': last,
        '(list :of :the :editor)': '(:OF :THE :EDITOR)',
      };
      return reportOf(evaluation, [values[code] ?? 'T'], { package: isFirst ? 'COMMON-LISP-USER' : 'ASIDE' });
    },
  });
  await expect.element(tabs()).not.toBeInTheDocument();
  await evaluate('(defun twice (x) (* 2 x))');
  await evaluate('(twice 21)');
  await shown('42');
  await insert('(draft of the first');
  await press('Control+Shift+N');
  await expect.element(tab('REPL 2')).toHaveAttribute('aria-selected', 'true');
  await expect.element(box()).toHaveFocus();
  await expect.element(box()).toHaveValue('');
  await expect.element(repl()).toMatchTextContent('shares all definitions');
  expect(await faults()).toEqual([]);
  await evaluate('(defpackage :aside (:use :cl)) (in-package :aside)');
  await expect.element(repl()).toMatchTextContent('ASIDE>');
  await evaluate('(cl-user::twice 50)');
  await shown('100');
  await evaluate('(list * (package-name *package*))');
  await shown('(100 "ASIDE")');
  expect(core.calls.findLast(({ name }) => name === 'repl.evaluate')?.input).toMatchObject({ repl: 'repl-2' });
  await press('Control+PageUp');
  await expect.element(box()).toHaveValue('(draft of the first');
  await expect.element(box()).toHaveFocus();
  await box().fill('');
  await evaluate('(list * (package-name *package*))');
  await shown('(42 "COMMON-LISP-USER")');
  await expect.element(repl()).not.toMatchTextContent('ASIDE>');
  // The history includes the inputs of all REPLs.
  await press('Control+r');
  await type('twice 50');
  await expect.element(page.getByRole('group', { name: 'History search' })).toMatchTextContent('(cl-user::twice 50)');
  await press('Escape');
  // Evaluations in the editor appear in the first REPL, regardless of which REPL is visible.
  await press('Control+PageDown');
  await newText('(list :of :the :editor)');
  await press('Alt+Enter');
  await expect.element(editorRegion()).toMatchTextContent(/\(:OF\s:THE\s:EDITOR\)/);
  await expect.element(repl()).not.toMatchTextContent(':EDITOR');
  await tab('REPL').click();
  await expect.element(repl()).toMatchTextContent('(:OF :THE :EDITOR)');
});

it('An evaluation that waits for the one of another REPL says for whom it waits, and goes on when that is interrupted [D5]', async () => {
  oneTurn();
  await evaluate('(loop)');
  await expect.element(repl().getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await press('Control+Shift+N');
  await expect.element(repl()).toMatchTextContent('REPL is evaluating (loop)');
  await evaluate('(+ 20 22)');
  await expect.element(repl()).toMatchTextContent('waiting for REPL, which is evaluating (loop)');
  await expect.element(tab('evaluating REPL')).toBeVisible();
  await expect.element(tab('waiting for its turn REPL 2')).toBeVisible();
  await press('Control+.');
  await shown('42');
  await tab('REPL').click();
  await expect.element(repl()).toMatchTextContent('Interrupted');
});

it('A REPL is renamed and closed by keys, and what runs in it is interrupted after a question [D5]', async () => {
  oneTurn();
  await box().click();
  await press('Control+Shift+N');
  await expect.element(tab('REPL 2')).toHaveAttribute('aria-selected', 'true');
  await press('F2');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('parser');
  await press('Enter');
  await expect.element(tab('parser')).toBeVisible();
  await evaluate('(loop)');
  await expect.element(repl().getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await press('Control+Shift+W');
  expect(core.calls.some(({ name }) => name === 'repl.close')).toBe(false);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Interrupt and close' }).click();
  await expect.element(tabs()).not.toBeInTheDocument();
  await evaluate('(+ 20 22)');
  await shown('42');
});
