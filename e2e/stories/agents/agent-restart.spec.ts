/**
 * Stories in which the program is killed while an agent works: the prompt is preserved, the interruption is reported, and the conversation
 * continues.
 */
import { mkdir } from 'node:fs/promises';
import { ask, log, onPath, panel, startAgent } from '../../agents/agent-panel.ts';
import type { Story } from '../../agents/story.ts';
import { expect, test } from '../../desktop/fixture.ts';
import { killTree } from '../../desktop/process-tree.ts';

const STORY: Story = {
  turns: [
    { when: 'long work', steps: [{ say: 'I begin.' }, { wait: 'cancel' }] },
    { steps: [{ say: 'Done at last.' }] },
  ],
};

test('A turn in which the program is killed is told as interrupted, and its conversation goes on [issue 14.3]', async ({
  launch,
}, info) => {
  const [home, project] = [info.outputPath('home'), info.outputPath('project')];
  await mkdir(home, { recursive: true });
  const env = await onPath(info.outputPath('agent'), STORY, '0.100.0');
  const before = await launch({ home, project, env });
  await before.imageReady();
  await startAgent(before);
  await ask(before, 'Do the long work.');
  await expect(log(before)).toContainText('I begin.');
  const ended = before.app.waitForEvent('close');
  killTree(before.app.process().pid!);
  await ended;

  const desktop = await launch({ home, project, env });
  await desktop.imageReady();
  await desktop.page.keyboard.press('Control+Shift+X');
  const kept = panel(desktop).getByRole('listitem', { name: 'Do the long work.' });
  await kept.getByRole('button', { name: 'Open: Do the long work.' }).click();
  await expect(log(desktop)).toContainText('The agent ended during this turn. Ask again to continue from here.');
  await panel(desktop).getByRole('button', { name: 'Continue' }).click();
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Start unconfined' }).click();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await ask(desktop, 'Go on.');
  await expect(log(desktop)).toContainText('Done at last.');
  await expect(log(desktop).getByRole('article', { name: 'You asked' })).toHaveCount(2);
});
