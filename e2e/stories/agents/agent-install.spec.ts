/** An agent program that is not there: installed on a click, by the real npm or from an archive, from a registry on loopback. */
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { LISTED, serveRegistry } from '../../agents/agent-package.ts';
import { ask, endAgent, log, panel, startAs } from '../../agents/agent-panel.ts';
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
  // The command is shown as it is run.
  await expect(row).toContainText('npm install --ignore-scripts @agentclientprotocol/claude-agent-acp@latest');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  // A program that the registry does not have is told as that, and can be tried again.
  await programs.getByRole('button', { name: 'Install opencode' }).click();
  await expect(programs).toContainText('the registry that npm uses has no opencode-ai');
  await expect(programs.getByRole('button', { name: 'Install opencode' })).toBeVisible();

  await row.getByRole('button', { name: 'Install Claude Code' }).click();
  await expect(panel(desktop).getByRole('button', { name: 'Start Claude Code' })).toBeVisible();
  await expect(panel(desktop)).toContainText('0.100.0, tried with');
  await startAs(desktop, sandboxIsPossible ? 'Only through the workbench' : 'Unconfined');
  await ask(desktop, 'Are you there?');
  await expect(log(desktop)).toContainText('I am installed.');
});

const LIST = {
  version: '1.0.0',
  agents: [
    {
      id: 'listed',
      name: 'Listed Agent',
      version: '1.0.0',
      description: 'An agent that no release knows.',
      distribution: { npx: { package: `${LISTED}@1.0.0`, args: ['--acp'] } },
    },
    {
      id: 'elsewhere',
      name: 'Agent from Elsewhere',
      version: '2.0.0',
      description: 'An agent that comes as an archive for another system.',
      website: 'https://example.invalid/elsewhere',
      distribution: { binary: { 'plan9-x86_64': { archive: 'https://example.invalid/a.tar.gz', cmd: './agent' } } },
    },
    { id: '../hostile', name: 'Hostile', version: '1.0.0', description: '', distribution: { npx: { package: 'x' } } },
  ],
};

test('An agent of the refreshed list is installed, started, updated and removed, and a damaged list changes nothing [issue 33.2]', async ({
  launch,
}, info) => {
  const folder = info.outputPath('registry');
  await mkdir(folder, { recursive: true });
  await using registry = await serveRegistry(folder, { turns: [{ steps: [{ say: 'I am from the list.' }] }] });
  registry.list = '{"version": "1.0.0", "agents": [';
  const desktop = await launch({ env: registry.environment });
  await desktop.imageReady();
  await desktop.page.keyboard.press('Control+Shift+X');
  const here = panel(desktop);
  const refresh = here.getByRole('button', { name: 'Refresh the List' });
  await expect(here).toContainText('The list of this release.');
  await refresh.click();
  await expect(here.getByRole('alert')).toHaveText('The list was not refreshed: The list is not valid JSON.');
  await expect(here.getByRole('heading', { name: 'Kimi Code' })).toBeVisible();

  registry.list = JSON.stringify(LIST);
  await refresh.click();
  await expect(here).toContainText(/The list of the ACP registry of \d+ \w+ \d{4}\. 1 entry was left out/);
  await expect(here.getByRole('alert')).toHaveCount(0);
  await expect(here).not.toContainText('Hostile');
  await expect(here).toContainText('The list has no Agent from Elsewhere for this system');
  await expect(here.getByRole('button', { name: 'Open the page of Agent from Elsewhere' })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  const filter = here.getByRole('searchbox', { name: 'Filter agent programs' });
  await filter.fill('nothing like this');
  await expect(here).toContainText('No agent program has these words.');
  await filter.fill('listed');
  await expect(here.getByRole('listitem')).toHaveCount(1);
  await here.getByRole('button', { name: 'Install Listed Agent' }).click();
  await expect(here.getByRole('button', { name: 'Start Listed Agent' })).toBeVisible();
  await expect(here.getByText('Only through the workbench', { exact: true })).toHaveCount(0);
  await startAs(desktop, sandboxIsPossible ? 'Own tools, project read-only' : 'Unconfined', 'Listed Agent');
  await ask(desktop, 'Are you there?');
  await expect(log(desktop)).toContainText('I am from the list.');

  // Its files stay as they are while it runs.
  const remove = here.getByRole('button', { name: 'Remove Listed Agent…' });
  await here.getByRole('button', { name: 'More about Listed Agent here' }).click();
  await desktop.page.getByRole('menuitem', { name: 'Start Another…' }).click();
  await remove.click();
  const question = desktop.page.getByRole('alertdialog', { name: 'Remove Listed Agent?' });
  await question.getByRole('button', { name: 'Remove It', exact: true }).click();
  await expect(desktop.page.getByText('Listed Agent runs. End it first')).toBeVisible();
  await here.getByRole('button', { name: 'Back' }).click();
  await endAgent(desktop, 'Listed Agent here');

  // An update that fails leaves the program as it is.
  registry.listed = null;
  await refresh.click();
  await here.getByRole('button', { name: 'Update Listed Agent to 9.9.9' }).click();
  await expect(here).toContainText('Listed Agent was not installed: a file arrived damaged');
  await expect(here.getByRole('button', { name: 'Start Listed Agent' })).toBeVisible();
  registry.listed = '1.1.0';
  await refresh.click();
  await here.getByRole('button', { name: 'Update Listed Agent to 1.1.0' }).click();
  await expect(here.getByRole('button', { name: /^Update Listed Agent/ })).toHaveCount(0);
  const row = here.getByRole('listitem').filter({ has: desktop.page.getByRole('heading', { name: 'Listed Agent' }) });
  await expect(row.getByRole('button', { name: 'Start Listed Agent' })).toBeVisible();
  await expect(row.getByText('1.1.0', { exact: true })).toBeVisible();
  await info.attach('list', { body: await desktop.page.screenshot(), contentType: 'image/png' });

  await remove.click();
  await question.getByRole('button', { name: 'Remove It with Its State' }).click();
  await expect(here.getByRole('button', { name: 'Install Listed Agent' })).toBeVisible();
  await expect(readdir(path.join(desktop.home, 'state', 'agents'))).resolves.not.toContain('registry-listed');
});

test('An agent that comes as an archive is downloaded, checked, started, updated and removed [issue 33.2]', async ({
  launch,
}, info) => {
  const folder = info.outputPath('registry');
  await mkdir(folder, { recursive: true });
  await using registry = await serveRegistry(folder, { turns: [{ steps: [{ say: 'I am from an archive.' }] }] });
  const { origin } = new URL(registry.environment['LISP_WORKBENCH_AGENT_REGISTRY']!);
  const archiveOf = (version: string): string => `${origin}/archive/archived-agent@${version}.tgz`;
  /** Names this version in the list, with a checksum. */
  const list = (version: string, sha256: string): void => {
    const platforms = ['linux-x86_64', 'linux-aarch64', 'darwin-x86_64', 'darwin-aarch64'];
    const target = { archive: archiveOf(version), sha256, cmd: './package/dist/index.js' };
    const binary = Object.fromEntries(platforms.map((platform) => [platform, target]));
    const entry = {
      id: 'archived',
      name: 'Archived Agent',
      version,
      description: 'An agent that comes as an archive.',
    };
    const hostile = {
      ...entry,
      id: 'hostile',
      distribution: { binary: { [platforms[0]!]: { ...target, cmd: '../sh' } } },
    };
    registry.list = JSON.stringify({ version: '1.0.0', agents: [{ ...entry, distribution: { binary } }, hostile] });
  };
  const checksumOf = async (version: string): Promise<string> =>
    createHash('sha256')
      .update(Buffer.from(await (await fetch(archiveOf(version))).arrayBuffer()))
      .digest('hex');
  const desktop = await launch({ env: registry.environment });
  await desktop.imageReady();
  await desktop.page.keyboard.press('Control+Shift+X');
  const here = panel(desktop);
  const refresh = here.getByRole('button', { name: 'Refresh the List' });
  const installing = here.getByRole('button', { name: 'Install Archived Agent' });

  // A download that is not the one of the list is not unpacked, and nothing of it stays.
  list('2.0.0', '0'.repeat(64));
  await refresh.click();
  await expect(here).toContainText('1 entry was left out');
  await expect(here).toContainText(`Download ${archiveOf('2.0.0')} and check its SHA-256`);
  await installing.click();
  await expect(here).toContainText('Archived Agent was not installed. The downloaded file is not the one in the list');
  const agents = path.join(desktop.home, 'state', 'agents');
  await expect(readdir(agents)).resolves.not.toContain('registry-archived');

  list('2.0.0', await checksumOf('2.0.0'));
  await refresh.click();
  await installing.click();
  await expect(here.getByRole('button', { name: 'Start Archived Agent' })).toBeVisible();
  await startAs(desktop, sandboxIsPossible ? 'Own tools, project read-only' : 'Unconfined', 'Archived Agent');
  await ask(desktop, 'Are you there?');
  await expect(log(desktop)).toContainText('I am from an archive.');
  await endAgent(desktop, 'Archived Agent here');

  list('2.1.0', await checksumOf('2.1.0'));
  await refresh.click();
  await here.getByRole('button', { name: 'Update Archived Agent to 2.1.0' }).click();
  await expect(here.getByRole('button', { name: /^Update Archived Agent/ })).toHaveCount(0);
  const row = here.getByRole('listitem').filter({ has: desktop.page.getByRole('heading', { name: 'Archived Agent' }) });
  await expect(row.getByText('2.1.0', { exact: true })).toBeVisible();

  await here.getByRole('button', { name: 'Remove Archived Agent…' }).click();
  const question = desktop.page.getByRole('alertdialog', { name: 'Remove Archived Agent?' });
  await question.getByRole('button', { name: 'Remove It with Its State' }).click();
  await expect(installing).toBeVisible();
  await expect(readdir(agents)).resolves.not.toContain('registry-archived');
});
