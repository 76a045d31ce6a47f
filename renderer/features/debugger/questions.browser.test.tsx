/** Restarts that ask questions. The questions appear below the restarts, and can be answered or cancelled with the keyboard. */
import type { DebuggerHead, DebuggerQuestion, DebuggerRecord, RanInDebugger } from '#contract/image/debugger.ts';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { region } from '../../text.fixture.ts';
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

const PERSON = { id: 'person', kind: 'person' as const, name: 'you' };
const LEFT: RanInDebugger = { left: true, result: null, note: null };
const debuggerPanel = region('Debugger');
const frames = debuggerPanel.getByRole('listbox', { name: 'Frames' });
const question = debuggerPanel.getByRole('group', { name: 'Question' });
const asked = question.getByRole('textbox');
const field = (name: string) => debuggerPanel.getByRole('textbox', { name, exact: true });
const restart = (name: string) =>
  debuggerPanel.getByRole('region', { name: 'Restarts' }).getByRole('button', { name: new RegExp(name) });

let core: FakeCore;
let open: { head: DebuggerHead; record: DebuggerRecord }[];

beforeEach(async () => {
  core = await openWholeWindow();
  open = [];
});

/**
 * Makes code stop with this message, one level above the debuggers that are already open. `restarts` are the restarts that ask for their
 * arguments.
 */
function stop(message: string, restarts: readonly string[], type = 'UNBOUND-VARIABLE'): void {
  const level = open.length + 1;
  const shared = {
    id: `d${level}`,
    evaluation: 'e1',
    held: false,
    thread: 'evaluation',
    kind: 'error' as const,
    level,
    type,
    message,
    steps: { within: false, out: false },
  };
  const names = ['CONTINUE', ...restarts, 'RETRY', 'ABORT'];
  open.push({
    head: {
      ...shared,
      actor: PERSON,
      summary: '(list *no-such-variable*)',
      since: Date.now(),
      proposals: [],
      question: null,
    },
    record: {
      ...shared,
      actor: PERSON.id,
      package: 'COMMON-LISP-USER',
      step: null,
      handle: 1,
      restarts: names.map((name, index) => ({
        index,
        name,
        report: `The report of ${name.toLowerCase()}.`,
        parameters: restarts.includes(name) ? ['value'] : [],
        asks: restarts.includes(name),
      })),
      frames: [
        {
          index: 0,
          function: null,
          package: 'COMMON-LISP-USER',
          call: '(LAMBDA ())',
          arguments: [],
          internal: false,
          restartable: true,
          source: null,
        },
      ],
      moreFrames: false,
    },
  });
  tell();
}

function tell(): void {
  core.tell('debuggers-changed', { debuggers: open.map(({ head }) => head), gone: null });
}

/** Closes the debuggers from level `from` inward; by default only the innermost one. */
function leave(from = open.length - 1): void {
  open.splice(from);
  tell();
}

let questions = 0;

/** Makes code in the innermost debugger ask a question. */
function wonder(parts: Partial<DebuggerQuestion>): void {
  questions += 1;
  const one = { id: `q${questions}`, restart: 1, author: null, text: '', leftOut: 0, reads: 'form' as const, ...parts };
  const at = open.at(-1)!;
  open[open.length - 1] = { ...at, head: { ...at.head, question: one } };
  tell();
}

function answered(): void {
  const at = open.at(-1)!;
  open[open.length - 1] = { ...at, head: { ...at.head, question: null } };
  tell();
}

type Answer = { text: string | null; cancel: boolean };

/** Simulates the image, which asks the questions of an invoked restart and processes the answers. */
function image(given: { taken: (restart: number) => void; told: (answer: Answer) => void }): void {
  const ends = new Map<string, (ran: RanInDebugger) => void>();
  answer({
    'debugger.record': ({ debugger: id }) => open.find(({ head }) => head.id === id)!.record,
    'debugger.locals': () => ({ locals: [] }),
    'debugger.invokeRestart': ({ debugger: id, restart: index }) =>
      new Promise((resolve) => {
        ends.set(id, resolve);
        given.taken(index);
        if (!open.some(({ head }) => head.id === id)) resolve(LEFT);
      }),
    'debugger.answer': ({ debugger: id, text, cancel }) => {
      answered();
      given.told({ text, cancel });
      if (cancel || !open.some(({ head }) => head.id === id)) ends.get(id)?.(LEFT);
      return { found: true };
    },
    'debugger.quit': () => {
      leave(0);
      return {};
    },
  });
}

/** Returns the answers that the page has sent, oldest first. */
function answers(): unknown[] {
  return core.calls.filter(({ name }) => name === 'debugger.answer').map(({ input }) => input);
}

/** Shows the debugger and gives it the focus. */
async function look(): Promise<void> {
  await press('Control+Shift+g');
  await expect.element(frames).toHaveFocus();
}

it('An unbound variable asks for a form, which the keyboard gives [issue 11.3, issue 36.4]', async () => {
  image({ taken: () => wonder({ text: 'Enter a form to be evaluated: ' }), told: () => leave() });
  stop('The variable *NO-SUCH-VARIABLE* is unbound.', ['USE-VALUE', 'STORE-VALUE']);
  await look();
  await press('1');
  const here = field('Enter a form to be evaluated:');
  await expect.element(here).toHaveFocus();
  // An incomplete form continues on the next line.
  await type('(* 6');
  await press('Enter');
  await expect.element(here).toHaveValue('(* 6\n');
  await type('7)');
  expect(await faults()).toEqual([]);
  await press('Enter');
  await expect.poll(answers).toEqual([{ debugger: 'd1', question: `q${questions}`, text: '(* 6\n7)', cancel: false }]);
  await expect.element(debuggerPanel).not.toBeInTheDocument();
});

it('Cancel goes back to the debugger, and an error in what is answered is a level deeper [issue 11.3, issue 36.4]', async () => {
  const wonders = { text: 'Enter a form to be evaluated: ' };
  image({
    taken: (index) => (index === 1 ? wonder(wonders) : leave()),
    told: ({ text, cancel }) => {
      if (cancel) return;
      if (text === '(error "not this")') stop('not this', [], 'SIMPLE-ERROR');
      else leave();
    },
  });
  stop('The function COMMON-LISP-USER::NO-SUCH-FUNCTION is undefined.', ['USE-VALUE'], 'UNDEFINED-FUNCTION');
  await look();
  await press('1');
  await expect.element(asked).toHaveFocus();
  await press('Escape');
  await expect.element(asked).not.toBeInTheDocument();
  await expect.element(frames).toHaveFocus();
  expect(answers()).toMatchObject([{ text: null, cancel: true }]);
  await press('Control+Backquote');
  await look();
  await restart('USE-VALUE').click();
  await expect.element(asked).toHaveFocus();
  await type('(error "not this")');
  await press('Enter');
  await expect.element(debuggerPanel.getByRole('heading', { name: 'not this' })).toBeVisible();
  await press('a');
  await expect.element(debuggerPanel.getByRole('heading', { name: /NO-SUCH-FUNCTION/ })).toBeVisible();
  await expect.element(frames).toHaveFocus();
  wonder(wonders);
  await expect.element(asked).toHaveFocus();
  await type("'list");
  await press('Enter');
  await expect.poll(() => answers().at(-1)).toMatchObject({ text: "'list", cancel: false });
  await expect.element(debuggerPanel).not.toBeInTheDocument();
});

it('What a restart has written is above its question, whose last line is the name of the field [issue 11.3, issue 36.4]', async () => {
  const text =
    'Select a symbol to be accessible in package USER-OF-BOTH:\n  1. LEFT:BOTH\n  2. RIGHT:BOTH\n\nEnter an integer (between 1 and 2): ';
  image({ taken: () => wonder({ text, reads: 'line' }), told: () => leave() });
  stop('USE-PACKAGE causes name-conflicts.', ['RESOLVE-CONFLICT'], 'NAME-CONFLICT');
  await look();
  await press('1');
  await expect.element(field('Enter an integer (between 1 and 2):')).toHaveFocus();
  await expect.element(question.getByRole('group', { name: 'Output' })).toMatchTextContent('RIGHT:BOTH');
  await type('2');
  await press('Enter');
  await expect.poll(() => answers().at(-1)).toMatchObject({ text: '2', cancel: false });
  await expect.element(debuggerPanel).not.toBeInTheDocument();
});

it('What a frame reads is asked below it, several values one after the other [issue 11.3, issue 36.4]', async () => {
  const ended = Promise.withResolvers<RanInDebugger>();
  const value = { text: '((A B) "some words")', type: 'CONS', cut: 0, handle: 3 };
  image({
    taken: () => {},
    told: ({ text }) => {
      if (text === '(a b)') wonder({ restart: null, reads: 'line' });
      else ended.resolve({ left: false, result: { status: 'ok', values: [value], condition: null }, note: null });
    },
  });
  answer({
    'debugger.evaluate': () => {
      wonder({ restart: null });
      return ended.promise;
    },
  });
  stop('stop here', [], 'SIMPLE-ERROR');
  await look();
  await press('e');
  await insert('(list (read) (read-line))');
  await press('Enter');
  await expect.element(field('The code is reading a form')).toHaveFocus();
  await type('(a b)');
  await press('Enter');
  await expect.element(field('The code is reading a line')).toHaveFocus();
  await type('some words');
  await press('Enter');
  await expect
    .element(debuggerPanel.getByRole('log', { name: 'Evaluated in frames' }))
    .toMatchTextContent('((A B) "some words")');
  expect(answers()).toMatchObject([{ text: '(a b)' }, { text: 'some words' }]);
  // The field keeps the focus, so that another form can be typed for the frame.
  await expect.element(field('Evaluate in frame')).toHaveFocus();
  await press('Escape');
  await press('q');
  await expect.element(debuggerPanel).not.toBeInTheDocument();
});

it('A question says whose code asks, shows the end of its output, and loses no answer with the image [issue 11.3, issue 36.4]', async () => {
  const codex = {
    id: 'codex-1',
    name: 'codex',
    createdAt: 1,
    lastSeenAt: 2,
    connections: 1,
    hue: 1,
    mode: 'collaborate' as const,
    ownImage: false,
    profile: 'standard' as const,
    paused: null,
    protocol: 'MCP over HTTP',
    calls: 1,
    failures: 0,
  };
  core = await openWholeWindow(snapshotWith({ clients: [codex] }));
  const lines = Array.from({ length: 200 }, (_, at) => `line ${1800 + at} of many`).join('\n');
  image({
    taken: () => wonder({ text: `${lines}\nYour password: `, leftOut: 35_000, author: codex.id, reads: 'line' }),
    told: () => leave(),
  });
  stop('which?', ['USE-ONE'], 'SIMPLE-ERROR');
  await look();
  await press('1');
  await expect.element(question.getByRole('textbox', { name: 'Your password:' })).toHaveFocus();
  await expect.element(question).toMatchTextContent('Code that codex defined asks. Its output:');
  await expect.element(question).toMatchTextContent('35,000 earlier characters are shown only in the output');
  const output = question.getByRole('group', { name: 'Output' }).element();
  expect(output.scrollHeight).toBeGreaterThan(output.clientHeight);
  expect(output.scrollHeight - output.clientHeight - output.scrollTop).toBeLessThan(2);
  expect(await faults()).toEqual([]);
  await type('long thought about');
  open = [];
  core.tell('debuggers-changed', { debuggers: [], gone: 'The image ended.' });
  await expect.element(question).not.toBeInTheDocument();

  image({ taken: () => wonder({ reads: 'line' }), told: () => leave() });
  stop('x', ['USE-IT'], 'SIMPLE-ERROR');
  await press('Control+Backquote');
  await look();
  await press('1');
  await expect.element(question).toMatchTextContent('The restart asks.');
  await expect.element(asked).toHaveFocus();
  await press('ArrowUp');
  await expect.element(asked).toHaveValue('long thought about');
  await press('Enter');
  await expect.poll(() => answers().at(-1)).toMatchObject({ text: 'long thought about', cancel: false });
  await expect.element(page.getByRole('tab', { name: 'Debugger 1 open' })).not.toBeInTheDocument();
});
