/** Agents that use the same image as the REPL: their evaluations, and how these affect the person's forms. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Actor, Session } from '#contract/image/session.ts';
import { reportOf } from '../../image.fixture.ts';
import { openOnDisk, openDisk } from '../../disk.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, snapshotWith, type } from '../../window.fixture.tsx';

const repl = region('REPL');
const status = region('Status bar');
const input = page.getByRole('textbox', { name: 'REPL input' });
const CODEX: Actor = { id: 'client:codex', kind: 'client', name: 'codex' };

const IDLE = snapshotWith().session;
/** The image's state while an agent's evaluation is running. */
const BUSY: Session = {
  ...IDLE,
  state: 'evaluating',
  running: { evaluation: 'theirs', actor: CODEX, summary: '(loop until *go*)', startedAt: Date.now() },
};

async function evaluate(code: string): Promise<void> {
  await input.click();
  await type(code);
  await press('Control+Enter');
}

it('The REPL is at its end when it is shown again after another page [D16, D18, issue 36.4]', async () => {
  const core = await openWholeWindow();
  answer({
    'repl.evaluate': ({ evaluation }) => {
      const text = Array.from({ length: 40 }, (_, line) => `\n${line}`).join('');
      core.tell('output', [{ evaluation, stream: 'stdout', text, left: 0 }]);
      return reportOf(evaluation, ['NIL']);
    },
    'activity.verify': () => ({ rows: 0, hash: null, problem: null }),
  });
  await evaluate('(loop for line below 40 do (print line))');
  await expect.element(repl).toMatchTextContent('39');
  await press('Control+Shift+H');
  await expect.element(region('Activity')).toBeVisible();
  for (let count = 0; count < 30; count += 1) {
    const code = `(dotimes (line ${count} :done-${count}) (print line))`;
    const report = reportOf(`e${count}`, [`:DONE-${count}`]);
    core.tell('agent-evaluated', { actor: CODEX, tool: 'evaluate-lisp', code, at: Date.now(), report });
  }
  await press('Control+Backquote');
  await expect.element(repl.getByText(':DONE-29', { exact: true })).toBeInViewport({ ratio: 1 });
});

it('What the person evaluates runs at once beside an agent’s evaluation, which the status bar and the REPL say [issue 35.2, issue 36.4]', async () => {
  const core = await openWholeWindow(snapshotWith({}, BUSY));
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['(1 2)']) });
  await expect.element(status).toMatchTextContent('codex is evaluating; your code runs in parallel');
  await expect.element(repl).toMatchTextContent('codex is evaluating');
  await expect.element(repl).toMatchTextContent('Your form runs beside it.');
  expect(await faults()).toEqual([]);
  await evaluate('(list 1 2)');
  await expect.element(repl).toMatchTextContent('=> (1 2)');
  core.tell('session-changed', IDLE);
  await expect.element(status).not.toMatchTextContent('codex is evaluating');
});

it('Where the person wants turns, their form waits for the agent’s, and says so [issue 35.2, issue 36.4]', async () => {
  const settings = { ...snapshotWith().settings, waitsForAgents: true };
  const core = await openWholeWindow(snapshotWith({ settings }, BUSY));
  const ended = Promise.withResolvers<void>();
  answer({
    'repl.evaluate': async ({ evaluation, code }) => {
      const waiting = [{ evaluation, actor: { id: 'person', kind: 'person' as const, name: 'you' }, summary: code }];
      core.tell('session-changed', { ...BUSY, waiting });
      await ended.promise;
      return reportOf(evaluation, ['(3 4)']);
    },
  });
  await expect.element(status).toMatchTextContent('codex is evaluating; your code is waiting');
  await evaluate('(list 3 4)');
  await expect.element(repl).toMatchTextContent('waiting for codex, which is evaluating (loop until *go*)');
  core.tell('session-changed', IDLE);
  ended.resolve();
  await expect.element(repl).toMatchTextContent('=> (3 4)');
});

it('An agent’s endless loop is interrupted by the person [K6, D5, issue 36.4]', async () => {
  const core = await openWholeWindow(snapshotWith({}, BUSY));
  answer({ 'session.interrupt': () => ({ interrupted: true }) });
  await page.getByRole('button', { name: 'Interrupt evaluation' }).first().click();
  await expect
    .poll(() => core.calls.filter(({ name }) => name === 'session.interrupt').map(({ input: asked }) => asked))
    .toEqual([{ evaluation: 'theirs' }]);
});

it("An image that ends is replaced, and the window brings the person's definitions back [K6, P4, D18, issue 36.4]", async () => {
  const core = await openWholeWindow();
  await openOnDisk(openDisk(core), 'kept.lisp', '(defun kept-text () :in-the-editor)');
  const mine = { actor: 'person', name: 'MINE', operator: 'defun' };
  const reason = 'The image ended with exit code 7 while evaluating (sb-ext:exit :code 7).';
  const lost = { at: 1, reason, definitions: [mine], more: { own: 0, others: 0 }, systems: [] };
  core.tell('session-changed', { ...IDLE, pid: 4712, lost });
  answer({
    'image.replay': () => {
      core.tell('session-changed', { ...IDLE, pid: 4712 });
      return { replayed: 1, failed: [] };
    },
  });
  const bar = page.getByRole('button', { name: 'Evaluate my definitions again' });
  await expect.element(bar).toBeVisible();
  await expect.element(repl).toMatchTextContent(reason);
  await expect.element(editorRegion()).toMatchTextContent('kept-text');
  await bar.click();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(repl).toMatchTextContent('1 evaluated again.');
  expect(core.calls.filter(({ name }) => name === 'image.replay').map(({ input: asked }) => asked)).toEqual([
    { image: 'shared' },
  ]);
});
