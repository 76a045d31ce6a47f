import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from './axe.ts';
import { expect, test, type Desktop } from './fixture.ts';

/** Opens the dialog of the servers from the status bar. */
async function servers({ page }: Desktop): Promise<Locator> {
  await page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'MCP' }).click();
  return page.getByRole('dialog', { name: 'Servers' });
}

test('The server for AI clients is stopped and started in the window, where the status bar tells its state', async ({
  desktop,
}) => {
  const { page } = desktop;
  const before = await desktop.serverUrl();
  const agent = await desktop.agent();
  const dialog = await servers(desktop);
  const http = dialog.getByRole('listitem', { name: 'HTTP', exact: true });
  await expect(http).toContainText(before);
  await expect(http).toContainText('on, started just now');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await http.getByRole('button', { name: 'Stop HTTP' }).click();
  await expect(http.getByRole('status')).toHaveText('off');
  await expect(page.getByRole('region', { name: 'Status bar' })).toContainText('MCP is off');
  await expect(agent.call('evaluate-lisp', { code: '1' })).rejects.toThrow();
  await http.getByRole('button', { name: 'Start HTTP' }).click();
  await expect(http.getByRole('status')).toHaveText(/^on, started/);
  expect((await desktop.server('http')).state).toBe('on');
  const told = (await desktop.snapshot()).activity.filter((event) => event.kind === 'server-changed');
  expect(told.map(({ change, actor }) => [change, actor.kind])).toEqual([
    ['started', 'workbench'],
    ['stopped', 'person'],
    ['started', 'person'],
  ]);
});
