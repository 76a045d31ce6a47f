/** Stories about an agent program that is not installed. A click makes the real npm install it, from a registry on loopback. */
import { mkdir } from 'node:fs/promises';
import { serveRegistry } from '../../agents/agent-package.ts';
import { ask, log, panel, startAs } from '../../agents/agent-panel.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';
import { sandboxIsPossible } from '../../desktop/sandbox-possible.ts';

test('Install brings a program into the workbench’s own folder, and it is started from there [issue 14.1]', async ({
  launch,
}, info) => {
  const folder = info.outputPath('registry');
  await mkdir(folder, { recursive: true });
  await using registry = await serveRegistry(folder, { turns: [{ steps: [{ say: 'I am installed.' }] }] });
  const desktop = await launch({ env: registry.environment });
  await desktop.imageReady();
  await desktop.page.keyboard.press('Control+Shift+X');
  const programs = panel(desktop).getByRole('list', { name: 'Programs that are not ready' });
  const row = programs
    .getByRole('listitem')
    .filter({ has: desktop.page.getByRole('heading', { name: 'Claude Code' }) });
  // The displayed command is the one that the button runs.
  await expect(row).toContainText('npm install --ignore-scripts @agentclientprotocol/claude-agent-acp@latest');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  // The panel says that the registry has no such program, and offers to try again.
  await programs.getByRole('button', { name: 'Install opencode' }).click();
  await expect(programs).toContainText('the registry that npm uses has no opencode-ai');
  await expect(programs.getByRole('button', { name: 'Install opencode' })).toBeVisible();

  await row.getByRole('button', { name: 'Install Claude Code' }).click();
  await expect(panel(desktop).getByRole('button', { name: 'Start Claude Code' })).toBeVisible();
  await expect(panel(desktop)).toContainText('0.100.0, tested with');
  await startAs(desktop, sandboxIsPossible ? 'Only through the workbench' : 'Unconfined');
  await ask(desktop, 'Are you there?');
  await expect(log(desktop)).toContainText('I am installed.');
});
