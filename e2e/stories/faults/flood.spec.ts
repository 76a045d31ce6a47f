/**
 * Stories about agents that do more than the window can show: the person has priority, memory does not grow, and at the end the window
 * shows the actual state.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';
import { sizes } from '../../desktop/process-sizes.ts';

const AGENTS = ['codex', 'claude-code', 'gemini'];
/** The number of evaluations of each agent. */
const EACH = 200;
/** The factor by which the page is slowed down, so that it cannot show all events in time. */
const SLOWER = 6;

test('Agents that flood a slow window keep neither the person waiting nor anything growing, and the window catches up', async ({
  sharedDesktop: desktop,
}) => {
  test.setTimeout(900_000); // long enough for hundreds of calls on a busy machine
  const { page } = desktop;
  const file = path.join(desktop.project, 'mine.txt');
  await writeFile(file, 'what I wrote');
  const pid = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId(),
  );
  const agents = await Promise.all(AGENTS.map((name) => desktop.agent(name)));
  await page.keyboard.press('Control+Shift+H');
  await expect(desktop.region('Activity')).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });

  const at = { work: AGENTS.length };
  let done = 0;
  const flood = Promise.all(
    agents.map(async (agent, index) => {
      for (let n = 1; n <= EACH; n += 1) {
        const last = n === EACH ? `(list :last-of ${index})` : n;
        await agent.call('evaluate-lisp', {
          code: `(progn (dotimes (i 100) (format t "agent ${index} line ~d~%" i)) ${String(last)})`,
        });
        done += 1;
      }
      at.work -= 1;
    }),
  );
  const most = { main: { descriptors: 0, megabytes: 0 }, page: { descriptors: 0, megabytes: 0 } };
  const longest = { repl: 0, file: 0 };
  let [asked, overtaken] = [0, 0];
  for (let n = 1; at.work > 0; n += 1) {
    const before = done;
    const answered = await page.evaluate(
      async ([number, mine]) => {
        const began = performance.now();
        const { values } = await window.workbench.call('repl.evaluate', {
          evaluation: crypto.randomUUID(),
          code: `(* 2 ${number})`,
          package: null,
          origin: 'repl',
          source: null,
        });
        const evaluated = performance.now();
        const { text } = await window.workbench.call('file.read', { path: mine });
        return { value: values[0]?.text, text, repl: evaluated - began, file: performance.now() - evaluated };
      },
      [n, file] as const,
    );
    expect(answered).toMatchObject({ value: String(2 * n), text: 'what I wrote' });
    asked += 1;

    overtaken = Math.max(overtaken, done - before);
    for (const key of ['repl', 'file'] as const) longest[key] = Math.max(longest[key], answered[key]);
    const now = await sizes(desktop, pid);
    for (const of of ['main', 'page'] as const)
      for (const key of ['descriptors', 'megabytes'] as const) most[of][key] = Math.max(most[of][key], now[of][key]);
  }
  await flood;
  test.info().annotations.push({ type: 'measured', description: JSON.stringify({ most, longest, asked, overtaken }) });
  process.stdout.write(`${JSON.stringify({ most, longest, asked, overtaken })}\n`);

  // The number of waiting messages is limited, because each message that the page has not received uses a descriptor and memory.
  expect(most.page.descriptors).toBeLessThan(150);
  expect(most.main.descriptors).toBeLessThan(300);
  expect(most.page.megabytes).toBeLessThan(700);
  expect(most.main.megabytes).toBeLessThan(700);
  // The person got answers while agents were working: before any single answer, fewer than half of the agents' evaluations ended.
  expect(overtaken).toBeLessThan((AGENTS.length * EACH) / 2);

  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  // The panel has all rows, or shows how many are missing and can load them.
  const activity = desktop.region('Activity');
  await expect(activity).toContainText(':LAST-OF');
  const load = activity.getByRole('button', { name: /Load them/ });
  if (await load.isVisible()) await load.click();
  await expect(load).toHaveCount(0);
  await page.keyboard.press('Control+`');
  const repl = desktop.region('REPL');
  await expect(repl).toContainText(':LAST-OF');
  await expect(repl).toContainText(/agent \d line 99/);
  await expect(page.getByText(/^idle/).first()).toBeVisible();
  // The person can continue to work.
  await desktop.repl('(+ 20 22)');
  await expect(repl).toContainText('42');
  await Promise.all(agents.map((agent) => agent.close()));
});
