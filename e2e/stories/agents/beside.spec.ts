/** The person works in the image while an agent's evaluation runs there. */
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Agent, type Desktop } from '../../desktop/fixture.ts';

/** An agent's evaluation that goes on until `*go*` is true; resolves when it runs. */
async function loops(desktop: Desktop): Promise<{ agent: Agent; ended: ReturnType<Agent['call']> }> {
  await desktop.repl('(defparameter *go* nil)');
  await expect(desktop.region('REPL')).toContainText('=> *GO*');
  const agent = await desktop.agent('codex');
  const ended = agent.call('evaluate-lisp', { code: '(loop until *go* finally (return :over))' });
  await expect.poll(async () => (await desktop.snapshot()).session.running?.actor.name).toBe('codex');
  return { agent, ended };
}

test('What the person evaluates runs at once beside an agent’s evaluation, which the status bar says [issue 35.2]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const { ended } = await loops(desktop);
  const repl = desktop.region('REPL');
  const status = desktop.region('Status bar');
  await expect(status).toContainText('codex evaluates; your code runs beside it');
  await expect(repl).toContainText('codex is evaluating');
  await expect(repl).toContainText('Your form runs beside it.');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await desktop.repl('(list 1 2)');
  await expect(repl).toContainText('=> (1 2)');
  await desktop.repl('(error "mine")');
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBe(1);
  await page.keyboard.press('Control+Shift+g');
  await expect(desktop.region('Debugger').getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('q');
  await expect(repl).toContainText('ABORT');
  await desktop.newFile('(defun beside (x) (* x x))');
  await page.keyboard.press('Control+Enter');
  await desktop.repl('(beside 7)');
  await expect(repl).toContainText('=> 49');
  await desktop.repl('(setf *go* t)');
  expect((await ended).text).toBe('=> :OVER');
  await expect(status).not.toContainText('codex evaluates');
});

test('Where the person wants turns, their form waits for the agent’s, and says so [issue 35.2]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await page.evaluate(() => window.workbench.call('settings.change', { waitsForAgents: true }));
  const { ended } = await loops(desktop);
  const repl = desktop.region('REPL');
  await expect(desktop.region('Status bar')).toContainText('codex evaluates; your code waits');
  await desktop.repl('(list 3 4)');
  await expect(repl).toContainText('waits for codex, which evaluates');
  await page.evaluate(() => window.workbench.call('settings.change', { waitsForAgents: false }));
  await desktop.repl('(setf *go* t)');
  await expect(repl).toContainText('=> (3 4)');
  expect((await ended).text).toBe('=> :OVER');
});

test('One key stops the agent’s evaluation and leaves the person’s that runs beside it [issue 35.2]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const { ended } = await loops(desktop);
  await desktop.repl('(loop until *go* finally (return :mine))');
  await expect.poll(async () => (await desktop.snapshot()).session.overtaken?.actor.name).toBe('codex');
  await page.evaluate(() => window.workbench.call('agents.stop', {}));
  expect((await ended).isError).toBe(true);
  await expect.poll(async () => (await desktop.snapshot()).session.running?.actor.kind).toBe('person');
  await page.getByRole('button', { name: 'Interrupt evaluation' }).first().click();
  await expect.poll(async () => (await desktop.snapshot()).session.running).toBeNull();
});
