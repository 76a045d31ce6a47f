import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import type { ApprovalBridge } from '../../../main/contract/rpc.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';
import { approve, openReview } from '../../desktop/reviewing.ts';

/** The client's row in the panel, which is opened for it. */
async function rowOf(desktop: Desktop, name: string): Promise<Locator> {
  await desktop.page.keyboard.press('Control+Shift+J');
  return desktop.region('Clients').getByRole('listitem', { name, exact: true });
}

/** Runs in Review's page: approves the request that waits, and grants further requests of the kind. */
async function approveAlike(): Promise<boolean> {
  const { approval } = window as unknown as { approval: ApprovalBridge };
  const { waiting } = await approval.call('approval.queue', {});
  const { id, fingerprint } = waiting[0]!;
  const decision = { decision: 'approved' as const, remember: 'target' };
  return (await approval.call('approval.decide', { id, fingerprint, decision })).accepted;
}

test('A client is paused, says why, and goes on; its calls are counted and its mode decides [D14]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(+ 1 1)' });
  await agent.call('evaluate-lisp', { code: '(car 1)' });
  const row = await rowOf(desktop, 'codex');
  await expect(row).toContainText('connected · 2 calls, 1 failed · MCP over HTTP · your image');
  const tools = desktop.region('Clients').getByRole('table');
  await expect(tools.getByRole('row', { name: /evaluate-lisp 2 1/ })).toBeVisible();
  await tools.getByRole('button', { name: 'Tool' }).click();
  await expect(tools.getByRole('columnheader', { name: 'Tool' })).toHaveAttribute('aria-sort', 'ascending');

  await row.getByRole('button', { name: 'Pause codex' }).click();
  await expect(row).toContainText('Paused by you.');
  expect(await agent.call('evaluate-lisp', { code: '1' })).toMatchObject({
    text: expect.stringContaining('paused this client'),
    isError: true,
  });
  await row.getByRole('button', { name: 'Resume: codex' }).click();
  expect((await agent.call('evaluate-lisp', { code: '(* 2 3)' })).text).toBe('=> 6');

  await row.getByRole('button', { name: 'Mode of codex: Collaborate' }).click();
  await expect(page.getByRole('menuitem', { name: 'Propose' })).toContainText('waits for you too');
  await page.getByRole('menuitem', { name: 'Observe' }).click();
  await expect(row.getByRole('button', { name: 'Mode of codex: Observe' })).toBeVisible();
  expect((await agent.call('evaluate-lisp', { code: '1' })).text).toContain('observe mode');
  expect((await agent.call('describe-symbol', { symbol: 'car' })).isError).toBe(false);
});

test('One key stops all agents: what runs ends, and nothing is answered, until they are let go on [D14, K6]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const other = await desktop.agent('claude-code');
  const running = agent.call('evaluate-lisp', { code: '(loop)' });
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
  await page.keyboard.press('Control+Shift+Period');
  expect((await running).isError).toBe(true);
  const told = page.getByRole('status').filter({ hasText: 'All agents are paused.' });
  await expect(told).toBeVisible();
  expect((await other.call('evaluate-lisp', { code: '1' })).text).toContain('paused this client');
  await told.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await desktop.snapshot()).clients.map(({ paused }) => paused)).toEqual([null, null]);
  expect((await agent.call('evaluate-lisp', { code: '(+ 2 2)' })).text).toBe('=> 4');

  await page.getByRole('button', { name: /^AI clients/ }).click();
  await page.getByRole('menuitem', { name: 'Stop All Agents' }).click();
  await expect(told).toBeVisible();
  expect((await other.call('describe-symbol', { symbol: 'car' })).isError).toBe(true);
});

test('A grant given on a card is listed as the rule that it is, and revoked [G3]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('codex');
  const file = path.join(desktop.project, 'out.txt');
  await writeFile(file, 'before'); // a rule holds either for replacing a file or for making one
  const code = `(with-open-file (out ${JSON.stringify(file)} :direction :output :if-exists :supersede) (write-line "x" out))`;
  const first = agent.call('evaluate-lisp', { code });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await desktop.page.keyboard.press('F7');
  const review = await desktop.review();
  // Review decides nothing while it has just come into view.
  await expect.poll(() => review.evaluate(approveAlike)).toBe(true);
  await first;
  expect(await readFile(file, 'utf8')).toBe('x\n');
  expect(await agent.call('evaluate-lisp', { code })).toMatchObject({ isError: false, text: '=> "x"' });
  await rowOf(desktop, 'codex');
  const rules = desktop.page.getByRole('region', { name: 'Rules that answer for you' });
  await expect(rules.getByRole('listitem')).toContainText(/Allows effect write for .*out\.txt/);
  await expect(rules.getByRole('listitem')).toContainText('codex · ends in 10 min unless it is used');
  await rules.getByRole('button', { name: /^Revoke effect write/ }).click();
  await expect(rules).toHaveCount(0);
  const asked = agent.call('evaluate-lisp', { code });
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(1);
  await desktop.page.keyboard.press('Control+Shift+Period');
  expect((await asked).isError).toBe(true);
});

test('A client gets a new token, an image of its own, and is revoked [D14]', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const row = await rowOf(desktop, 'codex');
  const choose = async (entry: string): Promise<void> => {
    await row.getByRole('button', { name: 'More about codex' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Give It an Image of Its Own');
  await expect(row).toContainText('image of its own');
  await choose('New Token…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new token' }).click();
  await expect(page.getByLabel('Token', { exact: true })).toHaveText(/^lwb_/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(agent.call('evaluate-lisp', { code: '1' })).rejects.toThrow();
  await choose('Revoke…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(desktop.region('Clients')).toContainText('No client is known yet.');
});

test("A folder in which agents' code may write is added in Settings, and taken out again [G4]", async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const field = settings.getByRole('textbox', { name: 'Folder that agents’ code may write in' });
  await field.fill('../outside');
  await page.keyboard.press('Enter');
  await expect(settings).toContainText('It must lie in the project.');
  await field.fill('exports');
  await page.keyboard.press('Enter');
  await expect(settings.getByRole('listitem')).toHaveText('exports');
  await settings.getByRole('button', { name: 'Done' }).click();
  const file = path.join(desktop.project, 'exports', 'a.txt');
  await mkdir(path.dirname(file));
  const code = `(with-open-file (out ${JSON.stringify(file)} :direction :output) (write-line "x" out))`;
  expect((await agent.call('evaluate-lisp', { code })).isError).toBe(false);
  expect(await readFile(file, 'utf8')).toBe('x\n');
  await page.keyboard.press('Control+,');
  await settings.getByRole('button', { name: 'Remove exports' }).click();
  await expect(settings.getByRole('listitem')).toHaveCount(0);
});

test('A client has three cards at a time: what else its code waits for stands in line, and comes in its turn [K1]', async ({
  sharedDesktop: desktop,
}) => {
  const agent = await desktop.agent('busy');
  const file = (n: number): string => path.join(desktop.project, `line-${n}.txt`);
  const calls = [1, 2, 3, 4, 5].map((n) =>
    agent.call('evaluate-lisp', { code: `(with-open-file (s "${file(n)}" :direction :output) (print ${n} s))` }),
  );
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(3);
  const review = await openReview(desktop);
  await expect(review.getByText('3 waiting, 2 in line')).toBeVisible();
  for (let left = 5; left > 0; left -= 1) {
    await approve(review);
    await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(Math.min(3, left - 1));
  }
  expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([false, false, false, false, false]);
});
