import { expect, test } from '../../desktop/fixture.ts';

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
