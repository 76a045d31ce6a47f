/**
 * Stories about code that stops in the debugger, from the error or the breakpoint to the outcome. The answers were recorded from a real
 * image.
 */
import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mirror } from '../../base/mirror.ts';
import { openDisk } from '../../disk.fixture.ts';
import { playRecording } from '../../recording.fixture.ts';
import { evaluate, expectCount, focusOn, newText } from '../../steps.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { type FakeCore, openWholeWindow, press, type } from '../../window.fixture.tsx';
import agentsError from './agents-error.recording.jsonl?raw';
import inEditor from './in-editor.recording.jsonl?raw';
import killed from './killed.recording.jsonl?raw';
import reported from './reported.recording.jsonl?raw';
import unfiledCode from './unfiled-code.recording.jsonl?raw';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
  openDisk(core);
});

const panel = () => region('Debugger');
const repl = () => region('REPL');
const framesList = () => panel().getByRole('listbox', { name: 'Frames' });
const imageWords = () => page.getByRole('button', { name: /^Image/ });
const drawn = (selector: string): Element[] => [...editorRegion().element().querySelectorAll(selector)];
const marked = (): string =>
  drawn('.frame-form')
    .map(({ textContent }) => textContent)
    .join('')
    .replaceAll('\u00a0', ' ');

/** Moves down through the frames to the first frame whose call begins with this text. */
async function chooseFrame(call: string): Promise<void> {
  await expect.element(framesList().getByRole('option').filter({ hasText: call }).first()).toBeVisible();
  await expect
    .poll(async () => {
      if (framesList().getByRole('option', { selected: true }).query()?.textContent.includes(call)) return true;
      await press('ArrowDown');
      return false;
    })
    .toBe(true);
}

it('Code of a frame that is in no file is a text to read, which goes with its debugger [issue 11.3]', async () => {
  playRecording(core, unfiledCode);
  await evaluate('(defun unfiled (n) (list (/ n 0)))');
  await expect.element(repl()).toMatchTextContent('=> UNFILED');
  await evaluate('(list (unfiled 4))');
  await expect.element(framesList()).toHaveFocus();
  await press('Control+Backquote');
  await expect.element(repl()).toMatchTextContent('DIVISION-BY-ZERO');
  await press('Control+Shift+g');
  await expect.element(framesList()).toHaveFocus();
  await chooseFrame('(UNFILED 4)');
  await press('v');
  await expect.element(editorRegion()).toMatchTextContent(/\(list\s\(\/\sn\s0\)\)/);
  await expect.poll(marked).toBe('(/ n 0)');
  await type('not typed');
  await expect.element(editorRegion()).not.toMatchTextContent(/not\styped/);
  await press('Shift+F5');
  await expect.element(panel()).toMatchTextContent('Nothing is stopped');
  await expect.element(editorRegion()).toMatchTextContent('Welcome');
});

it("An agent's held error stands beside one's own with who and how long, and the person ends it [B9, issue 11.3]", async () => {
  playRecording(core, agentsError);
  await expect.element(imageWords()).toMatchTextContent('in the debugger · SIMPLE-ERROR · codex');
  await evaluate('(error "my own")');
  // The person's own error comes to the front, not the agent's.
  await expect.element(panel().getByRole('heading', { name: 'my own' })).toBeVisible();
  await expect.element(framesList()).toHaveFocus();
  const heads = panel().getByRole('listbox', { name: 'Debuggers' }).getByRole('option');
  await expectCount(heads, 2);
  await heads.filter({ hasText: 'codex' }).click();
  await expect.element(panel().getByRole('heading', { name: 'an agent’s' })).toBeVisible();
  await expect.element(panel()).toMatchTextContent(/held for \d+:\d\d/);
  await focusOn(framesList());
  await press('q');
  await expect.element(panel().getByRole('heading', { name: 'my own' })).toBeVisible();
  await press('q');
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(imageWords()).toMatchTextContent('idle');
});

it('An image that is killed with two debuggers open takes them along, and says so [issue 11.3]', async () => {
  const { happened } = playRecording(core, killed);
  await evaluate('(error "first")');
  await expect.element(panel().getByRole('heading', { name: 'first' })).toBeVisible();
  await press('Control+Backquote');
  await evaluate('(error "second")');
  await expect.element(panel().getByRole('heading', { name: 'second' })).toBeVisible();
  await expect.element(framesList()).toHaveFocus();
  await expect.poll(() => mirror.getState().debuggers.debuggers.length).toBe(2);
  await vi.waitFor(() => happened('the image is killed')); // the second stop is reported in several events
  await expect.element(panel()).toMatchTextContent('The image was ended by SIGKILL. 2 debuggers ended with it.');
  await expect.element(page.getByRole('tab', { name: 'Debugger', exact: true })).toBeVisible();
  await expect.poll(() => mirror.getState().session.state).toBe('idle');
  await press('Control+Backquote');
  await evaluate('(+ 40 2)');
  await expect.element(repl()).toMatchTextContent('=> 42');
  await expect.element(repl()).not.toMatchTextContent('in the debugger');
});

it('Errors are reported and end their evaluation where the settings say so [B8, issue 11.3]', async () => {
  playRecording(core, reported);
  await press('Control+,');
  await page.getByRole('radiogroup', { name: 'Errors of your evaluations' }).getByText('Report only').click();
  await press('Escape');
  expect(core.calls.findLast(({ name }) => name === 'settings.change')?.input).toEqual({ onError: 'report' });
  await evaluate('(car 1)');
  await expect.element(repl()).toMatchTextContent('TYPE-ERROR');
  await expect.element(repl().getByRole('button', { name: /frames?$/ })).toBeVisible();
  expect(mirror.getState().debuggers.debuggers).toEqual([]);
});

it('A form in the editor says beside it that it stands in the debugger, and then what came of it [issue 11.3]', async () => {
  playRecording(core, inEditor);
  await newText('(list (restart-case (error "which?") (skip () :skipped)))');
  await press('Control+Enter');
  await expect.element(editorRegion()).toMatchTextContent(/SIMPLE-ERROR\s*in\s*the\s*debugger\s*·\s*Show/);
  await page.elementLocator(drawn('.inline-link')[0]!).click();
  await expect.element(framesList()).toHaveFocus();
  await press('0');
  await expect.element(editorRegion()).toMatchTextContent(/=>\s\(:SKIPPED\)/);
});
