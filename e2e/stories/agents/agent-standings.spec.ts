/** Stories about the access levels of an agent: how each level is started and enforced, and how a conversation continues at this level. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { putInstalled } from '../../agents/agent-package.ts';
import { ask, endAgent, log, panel, startAs } from '../../agents/agent-panel.ts';
import type { Story } from '../../agents/story.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';
import { approve, openReview } from '../../desktop/reviewing.ts';
import { sandboxIsPossible } from '../../desktop/sandbox-possible.ts';

const CLOSED = 'Only through the workbench';
const READ_ONLY = 'Own tools, project read-only';
const OPEN = 'Unconfined';

test('Each standing is held to as it is shown, and a conversation goes on in the one that it had [issue 14.2, issue 14.3]', async ({
  launch,
}, info) => {
  const [home, project] = [info.outputPath('home'), info.outputPath('project')];
  await mkdir(home, { recursive: true });
  const file = path.join(project, 'by-shell.txt');
  const story: Story = {
    turns: [
      { when: 'evaluate', steps: [{ call: 'evaluate-lisp', arguments: { code: '(* 12 12)' }, says: true }] },
      { when: 'write', steps: [{ shell: `echo written > '${file}'`, asks: true }] },
    ],
  };
  await putInstalled(home, story);
  const desktop = await launch({ home, project });
  const { page } = desktop;
  await desktop.imageReady();
  await page.keyboard.press('Control+Shift+X');
  const choice = panel(desktop).getByRole('radiogroup', { name: 'Access level of Claude Code' });
  const offered = sandboxIsPossible ? [CLOSED, READ_ONLY, OPEN] : [OPEN];
  await expect(choice.getByRole('radio')).toHaveCount(offered.length);
  await expect(choice.getByRole('radio', { name: offered[0]! })).toBeChecked();

  const said = log(desktop).getByRole('article', { name: /said$/ });
  const kept = panel(desktop).getByRole('listitem', { name: /^evaluate/ });
  const question = page.getByRole('alertdialog', { name: 'Start Claude Code unconfined?' });
  /**
   * Starts the agent and checks its header. Makes the agent evaluate code, and write a file without the workbench; `after` checks the
   * result of the write.
   */
  const tryOut = async (standing: string, after: () => Promise<void>): Promise<void> => {
    await startAs(desktop, standing);
    await expect(panel(desktop).getByText(standing, { exact: true })).toBeVisible();
    await ask(desktop, `evaluate as: ${standing}`);
    await expect(said.last()).toContainText('144');
    await ask(desktop, 'write');
    await after();
    await endAgent(desktop, 'Claude Code here');
    await expect(kept.first()).toContainText(`Claude Code · ${standing} ·`);
  };

  if (sandboxIsPossible) {
    await tryOut(CLOSED, async () => {
      await expect(log(desktop)).toContainText(
        'The workbench refused, because Claude Code may act only through the workbench.',
      );
      await expect(said.last()).toContainText('I was not allowed to.');
      expect((await desktop.snapshot()).waitingApprovals).toBe(0);
    });
    await tryOut(READ_ONLY, async () => {
      await approve(await openReview(desktop));
      await expect(said.last()).toContainText('Read-only file system');
    });
    expect(existsSync(file)).toBe(false);
  } else {
    await expect(panel(desktop)).toContainText('This agent can run only unconfined here');
  }
  await tryOut(OPEN, async () => {
    await approve(await openReview(desktop));
    await expect(said.last()).toContainText('Did it');
    expect(existsSync(file)).toBe(true);
  });

  // Before an agent continues without a sandbox, the person is asked again, and must confirm.
  await kept
    .filter({ hasText: OPEN })
    .getByRole('button', { name: /^Continue/ })
    .click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(kept).toHaveCount(offered.length);
  // The other agents continue at their level without asking the person again.
  for (const standing of offered.filter((each) => each !== OPEN)) {
    await kept
      .filter({ hasText: standing })
      .getByRole('button', { name: /^Continue/ })
      .click();
    await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
    await expect(panel(desktop).getByText(standing, { exact: true })).toBeVisible();
    await expect(question).toBeHidden();
    await endAgent(desktop, 'Claude Code here');
  }

  // An agent version whose tools cannot be switched off cannot be limited to the workbench's tools. The panel offers the level that is
  // available instead.
  if (!sandboxIsPossible) return;
  await putInstalled(home, { ...story, offers: ['Bash'] }, '0.102.0');
  await page.getByRole('tab', { name: 'Documentation' }).click();
  await page.keyboard.press('Control+Shift+X');
  await kept
    .filter({ hasText: CLOSED })
    .getByRole('button', { name: /^Continue/ })
    .click();
  const ended = panel(desktop).getByRole('group', { name: 'Agent ended' });
  await expect(ended).toContainText('offers its model other tools that could not be switched off: Bash.');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.screenshot({ path: info.outputPath('looser.png') });
  await ended.getByRole('button', { name: `Start as “${READ_ONLY}”` }).click();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(panel(desktop).getByText(READ_ONLY, { exact: true })).toBeVisible();
});
