/** The debugger panel: the list of debuggers, their frames, variables and breakpoints, and the panel's layout in a small window. */
import type { BreakpointLine, DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, snapshotWith, type FakeCore } from '../../window.fixture.tsx';
import { cutRings } from '../../window/rings.fixture.ts';

const PERSON = { id: 'person', kind: 'person' as const, name: 'you' };

/** Returns a debugger that stopped at an error in one of the person's functions, which EVAL called. */
function debuggerAt(id: string, message: string): { head: DebuggerHead; record: DebuggerRecord } {
  const shared = {
    id,
    evaluation: `evaluation-${id}`,
    held: false,
    thread: 'evaluation',
    kind: 'error' as const,
    level: 1,
    type: 'SIMPLE-ERROR',
    message,
    steps: { within: false, out: false },
  };
  const frame = (index: number, call: string, internal: boolean) => ({
    index,
    function: internal ? null : 'PRICE',
    package: internal ? null : 'COMMON-LISP-USER',
    call,
    arguments: [],
    internal,
    restartable: !internal,
    source: null,
  });
  return {
    head: { ...shared, actor: PERSON, summary: `(price "${id}")`, since: Date.now(), proposals: [], question: null },
    record: {
      ...shared,
      actor: PERSON.id,
      package: 'COMMON-LISP-USER',
      step: null,
      handle: 1,
      restarts: [
        { index: 0, name: 'USE-VALUE', report: 'Use another.', parameters: ['value'], asks: false },
        { index: 1, name: 'ABORT', report: 'End the evaluation.', parameters: [], asks: false },
      ],
      frames: [
        frame(0, '(ERROR "which?")', true),
        frame(1, `(PRICE "${id}")`, false),
        ...Array.from({ length: 12 }, (_, at) => frame(at + 2, `(SB-INT:SIMPLE-EVAL-${at} (PRICE "${id}"))`, true)),
      ],
      moreFrames: false,
    },
  };
}

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});
afterEach(() => page.viewport(1280, 800));

const panel = () => region('Debugger');

/** Opens debuggers for errors with these messages, and goes to the last one. */
async function stopped(...messages: string[]): Promise<void> {
  const open = messages.map((message, index) => debuggerAt(`d${index + 1}`, message));
  const value = { text: '"TEA-09"', type: '(SIMPLE-ARRAY CHARACTER (6))', cut: 0, handle: 2 };
  answer({
    'debugger.record': ({ debugger: id }) => open.find(({ head }) => head.id === id)!.record,
    'debugger.locals': () => ({ locals: [{ index: 0, name: 'SKU', id: 0, value, absence: null }] }),
  });
  core.tell('debuggers-changed', { debuggers: open.map(({ head }) => head), gone: null });
  await press('Control+Shift+g');
  await expect.element(panel().getByRole('listbox', { name: 'Frames' })).toHaveFocus();
}

/** Ends all debuggers, and waits until the panel disappears. */
async function ended(): Promise<void> {
  core.tell('debuggers-changed', { debuggers: [], gone: null });
  await expect.element(panel()).not.toBeInTheDocument();
}

it('The debugger has no faults that axe finds, in both themes [D17, issue 36.4]', async () => {
  await stopped('which?', 'there');
  await expect.element(page.getByRole('tab', { name: 'Debugger 2 open' })).toBeVisible();
  await expect.element(panel().getByRole('group', { name: 'Locals' })).toMatchTextContent('SKU');
  expect(panel().getByRole('listbox', { name: 'Debuggers' }).getByRole('option').elements().length).toBe(2);
  expect(await faults()).toEqual([]);
  await ended();
});

it('In a small window the debugger shows its keys, its frames, its variables and the row to evaluate in [issue 36.4]', async () => {
  await page.viewport(900, 600);
  await stopped('which?');
  const dock = panel().element().getBoundingClientRect();
  const frames = panel().getByRole('listbox', { name: 'Frames' });
  for (const part of [
    panel().getByRole('note', { name: 'Keys' }),
    panel().getByRole('textbox', { name: 'Evaluate in frame' }),
    frames,
    panel().getByRole('group', { name: 'Locals' }),
    panel().getByRole('region', { name: 'Restarts' }).getByRole('button').first(),
  ]) {
    await expect.element(part).toBeVisible();
    const { left, top, right, bottom } = part.element().getBoundingClientRect();
    const isWithin = left >= dock.left && top >= dock.top && right <= dock.right && bottom <= dock.bottom;
    expect.soft(isWithin, part.selector).toBe(true);
  }
  expect(frames.element().getBoundingClientRect().height).toBeGreaterThan(40);
  await press('Shift');
  expect.soft(cutRings()).toEqual([]);
  // Enough of the editor stays visible above the panel to show the frame's source.
  expect(editorRegion().element().getBoundingClientRect().height).toBeGreaterThan(120);
  await ended();
});

it('A restart takes its argument from a field that its key opens, and Enter in a form that is not whole begins a line [issue 36.4]', async () => {
  await stopped('which?');
  answer({ 'debugger.invokeRestart': () => ({ left: true, result: null, note: null }) });
  await press('0');
  const field = page.getByRole('textbox', { name: 'value for restart 0' });
  await expect.element(field).toHaveFocus();
  for (const keys of ['(', '*', 'Space', '6', 'Enter', '7', ')', 'Enter']) await press(keys);
  await expect
    .poll(() => core.calls.find(({ name }) => name === 'debugger.invokeRestart')?.input)
    .toEqual({ debugger: 'd1', restart: 0, arguments: ['(* 6\n7)'] });
  await ended();
});

it('The list of breakpoints says in which image they stop, where there are several [issue 36.4]', async () => {
  const words = 'They stop only code in the image shared, which the editor uses, not in other images.';
  core.tell('breakpoints-changed', {
    functions: [{ wanted: 'OUTER', name: 'OUTER', there: false }],
    conditions: [],
  });
  await press('Control+Shift+g');
  const listed = panel().getByRole('list', { name: 'Breakpoints' });
  await expect.element(listed).toMatchTextContent(/OUTER\s*not defined yet/);
  await expect.element(panel()).not.toMatchTextContent(words);
  const image = { ...snapshotWith().session, id: 'image-2', name: 'image 2', owner: 'person' as const };
  core.tell('images-changed', [image]);
  await expect.element(panel()).toMatchTextContent(words);
});

it('A breakpoint whose mark is out of sight says that it is set, and that it is cleared [issue 36.4]', async () => {
  answer({
    'breakpoints.set': ({ function: name, set }) => {
      const functions = set ? [{ wanted: name, name: 'LONG-ONE', there: true }] : [];
      core.tell('breakpoints-changed', { functions, conditions: [] });
      return { functions, conditions: [] };
    },
  });
  // Calls of a generic function stop only at their entry.
  const body = Array.from({ length: 120 }, (_, line) => `  (:method ((n (eql ${line}))) n)`).join('\n');
  await openOnDisk(disk, 'lines.lisp', `(defun brief ())\n\n(defgeneric long-one (n)\n${body}¦)\n`);
  await press('F9');
  await expect.element(page.getByText('The breakpoint of LONG-ONE, on line 3, is set.')).toBeVisible();
  await press('F9');
  await expect.element(page.getByText('The breakpoint of LONG-ONE, on line 3, is cleared.')).toBeVisible();
});

it('The key F9 sets and clears a breakpoint on the line of the caret, and a click on a mark clears only that one [issue 39.2]', async () => {
  let stops: BreakpointLine[] = [];
  answer({
    'breakpoints.setLine': ({ function: wanted, line, set }) => {
      stops = stops.filter((each) => each.line !== line.line);
      if (set) stops.push(line);
      const lines = stops.some((each) => each.line > 0) ? { lines: stops } : {};
      const functions = stops.length > 0 ? [{ wanted, name: 'TOTAL', there: true, ...lines }] : [];
      core.tell('breakpoints-changed', { functions, conditions: [] });
      return { functions, conditions: [], problem: null };
    },
  });
  const marks = (): Element[] =>
    [...editorRegion().element().querySelectorAll('.breakpoint-mark')].toSorted(
      (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
    );
  await openOnDisk(disk, 'total.lisp', '(defun total (n)\n  (list n\n        (* n 2)¦))\n');
  await press('F9');
  const words = 'TOTAL stops on line 3. While it has this breakpoint, it runs compiled for debugging.';
  await expect.element(page.getByText(words)).toBeVisible();
  expect(stops).toEqual([{ line: 2, text: '(* n 2)))' }]);
  for (const count of [2, 3]) {
    await press('ArrowUp');
    await press('F9');
    await expect.poll(() => marks().length).toBe(count);
  }
  await page.elementLocator(marks()[0]!).click();
  await expect.poll(() => marks().length).toBe(2);
  expect(stops.map(({ line }) => line)).toEqual([2, 1]);
  await press('ArrowDown');
  await press('F9');
  await expect.poll(() => stops.map(({ line }) => line)).toEqual([2]);
});
