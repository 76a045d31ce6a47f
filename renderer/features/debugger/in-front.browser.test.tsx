/** Which errors bring the debugger to the front, and which show a notice. */
import type { DebuggerHead } from '#contract/image/debugger.ts';
import type { Settings } from '#contract/settings.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { mirror } from '../../base/mirror.ts';
import { reportOf } from '../../image.fixture.ts';
import { region } from '../../text.fixture.ts';
import { answer, type FakeCore, insert, openWholeWindow, press, snapshotWith, type } from '../../window.fixture.tsx';

const PERSON = { id: 'person', kind: 'person' as const, name: 'you' };
const CODEX = { id: 'client:codex', kind: 'client' as const, name: 'codex' };

const panel = region('Debugger');
const frames = panel.getByRole('listbox', { name: 'Frames' });
const input = page.getByRole('textbox', { name: 'REPL input' });
const notice = page.getByRole('button', { name: /^Show \(/ });

let core: FakeCore;
/** The evaluation of the last form, and its end. */
let asked: { evaluation: string; end: () => void } | null;
let heads: DebuggerHead[];

beforeEach(() => open());
afterEach(() => end());

/** Ends the form and its debugger, and waits until the panel has disappeared. */
async function end(): Promise<void> {
  core.tell('debuggers-changed', { debuggers: [], gone: null });
  asked?.end();
  await expect.element(panel).not.toBeInTheDocument();
}

async function open(settings: Partial<Settings> = {}): Promise<void> {
  core = await openWholeWindow(snapshotWith({ settings: { ...snapshotWith().settings, ...settings } }));
  asked = null;
  heads = [];
  answer({
    'repl.evaluate': ({ evaluation }) =>
      new Promise((resolve) => {
        asked = { evaluation, end: () => resolve(reportOf(evaluation, ['NIL'])) };
      }),
    'debugger.record': ({ debugger: id }) => ({
      ...heads.find((head) => head.id === id)!,
      actor: PERSON.id,
      package: 'COMMON-LISP-USER',
      step: null,
      handle: 1,
      restarts: [{ index: 0, name: 'ABORT', report: 'End the evaluation.', parameters: [], asks: false }],
      frames: [
        {
          index: 0,
          function: 'PRICE',
          package: 'COMMON-LISP-USER',
          call: '(PRICE 1)',
          arguments: [],
          internal: false,
          restartable: true,
          source: null,
        },
      ],
      moreFrames: false,
    }),
    'debugger.locals': () => ({ locals: [] }),
    'debugger.invokeRestart': () => {
      core.tell('debuggers-changed', { debuggers: [], gone: null });
      asked?.end();
      return { left: true, result: null, note: null };
    },
  });
}

/** Enters a form in the REPL, and waits until its evaluation has begun. */
async function enterForm(): Promise<void> {
  await input.click();
  await insert('(price 1)');
  await press('Enter');
  await expect.poll(() => asked).not.toBeNull();
}

/** Makes the code of the last form stop at an error. */
function stop(parts: Partial<DebuggerHead> = {}): void {
  heads = [
    {
      id: 'd1',
      evaluation: asked?.evaluation ?? 'other',
      held: false,
      thread: 'lisp-workbench worker',
      kind: 'error',
      level: 1,
      type: 'SIMPLE-ERROR',
      message: 'No price.',
      steps: { within: false, out: false },
      actor: PERSON,
      summary: '(price 1)',
      since: Date.now(),
      proposals: [],
      question: null,
      ...parts,
    },
  ];
  core.tell('debuggers-changed', { debuggers: heads, gone: null });
}

const restarts = (): unknown[] =>
  core.calls.filter(({ name }) => name === 'debugger.invokeRestart').map(({ input: given }) => given);

it.each(['vscode', 'slime'] as const)(
  'After an error in the form that was just entered the debugger has the keys, and a restart leads back to the REPL, in the keymap %s [issue 39.3]',
  async (keymap) => {
    await open({ keymap });
    await enterForm();
    stop();
    await expect.element(frames).toHaveFocus();
    await expect.element(frames).toHaveAccessibleDescription('No price.');
    await expect.element(notice).not.toBeInTheDocument();
    await press('0');
    await expect.poll(restarts).toEqual([{ debugger: 'd1', restart: 0, arguments: [] }]);
    await expect.element(input).toHaveFocus();
    await expect.element(input).toHaveValue('');
  },
);

it('If the person has typed since, a notice leads to the debugger and the REPL keeps the focus [issue 39.3]', async () => {
  await enterForm();
  await type('(list');
  stop();
  await expect.element(notice).toBeVisible();
  await expect.element(input).toHaveFocus();
  await type(' 0');
  await expect.element(input).toHaveValue('(list 0)');
  expect(restarts()).toEqual([]);
});

it('If the person has clicked since, the error does not take the focus [issue 39.3]', async () => {
  await enterForm();
  await region('REPL').getByText('(price 1)').first().click();
  stop();
  await expect.element(notice).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();
});

it.each([
  ['another thread', { thread: 'worker of mine' }],
  ['another evaluation', { evaluation: 'other' }],
  ['an agent', { evaluation: 'other', actor: CODEX }],
])('An error of %s does not take the focus from the REPL [issue 39.3]', async (_whose, parts) => {
  await enterForm();
  stop(parts);
  await expect.element(notice).toBeVisible();
  await expect.element(input).toHaveFocus();
});

it('With the setting off, each error shows a notice [issue 39.3]', async () => {
  await press('Control+,');
  const choice = page.getByRole('radiogroup', { name: 'Go to the debugger after an error in the REPL' });
  answer({
    'settings.change': () => {
      core.choose({ debuggerToFront: false });
      return mirror.getState().settings;
    },
  });
  await choice.getByText('Off').click();
  await press('Escape');
  expect(core.calls.findLast(({ name }) => name === 'settings.change')?.input).toEqual({ debuggerToFront: false });
  await enterForm();
  stop();
  await expect.element(notice).toBeVisible();
  await expect.element(input).toHaveFocus();
});

it('A line that the code of the form reads is also entered, so an error after it brings the debugger to the front [issue 39.3]', async () => {
  answer({ 'repl.input': () => ({}) });
  await enterForm();
  core.tell('input-requested', { evaluation: asked!.evaluation, image: 'shared' });
  await expect.element(region('REPL')).toMatchTextContent('The program is waiting for a line');
  await expect.element(input).toHaveFocus();
  await type('twelve');
  await press('Enter');
  stop();
  await expect.element(frames).toHaveFocus();
});
