/** The panel Agent when an agent ends, waits for the person, or is gone on with: nothing that was written or told is lost. */
import { mkdir } from 'node:fs/promises';
import { ask, field, launchBesideAgent, launchWithAgent, log, panel } from '../../agents/agent-panel.ts';
import type { Story } from '../../agents/story.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';

const STORY: Story = {
  turns: [
    { when: 'sleep', steps: [{ say: 'I sleep now.' }, { call: 'evaluate-lisp', arguments: { code: '(sleep 600)' } }] },
    { when: 'delete', steps: [{ call: 'evaluate-lisp', arguments: { code: '(delete-file "kept.txt")' } }] },
    { when: 'write', steps: [{ call: 'write-file', arguments: { path: 'new.lisp', content: '(f)\n' } }] },
    { when: 'shell', steps: [{ shell: 'echo hello', asks: true }] },
    {
      when: 'lie',
      steps: [
        { call: 'evaluate-lisp', arguments: { code: '(* 6 7)' } },
        { lie: 'evaluate-lisp', arguments: { code: '(delete-everything)' } },
      ],
    },
  ],
};

test('An agent that is killed gives the queued prompt back, and the keyboard is where work goes on [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await ask(desktop, 'sleep');
  await expect(log(desktop).getByRole('treegrid')).toBeVisible();
  await ask(desktop, 'queued words');
  await expect(panel(desktop).getByRole('group', { name: 'Queued prompt' })).toBeVisible();
  await field(desktop).fill('a draft');
  const [agent] = (await desktop.snapshot()).hostedAgents;
  process.kill(agent!.process!.pid, 'SIGKILL');
  const ended = panel(desktop).getByRole('group', { name: 'It has ended' });
  await expect(ended).toBeFocused();
  await ended.getByRole('button', { name: 'Continue' }).click();
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Start unconfined' }).click();
  await expect(field(desktop)).toBeFocused();
  await expect(field(desktop)).toHaveValue('queued words\n\na draft');

  // The conversation is behind the tab of its agent, and not offered once more.
  await panel(desktop).getByRole('button', { name: 'More about Claude Code here' }).click();
  await desktop.page.getByRole('menuitem', { name: 'Start Another…' }).click();
  await expect(panel(desktop).getByRole('button', { name: 'Start Claude Code' })).toBeVisible();
  await expect(panel(desktop).getByRole('button', { name: /^Continue/ })).toHaveCount(0);
});

test('A request for a tool of its own is shown in the conversation, with the way to its card [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await ask(desktop, 'shell');
  await expect(panel(desktop)).toContainText('waits for you');
  await expect(log(desktop).getByRole('article', { name: /called echo hello$/ })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await panel(desktop).getByRole('button', { name: 'Show the card' }).click();
  const review = await desktop.review();
  await expect(review.getByRole('heading', { name: 'Use a tool of Claude Code’s own: echo hello' })).toBeVisible();
  await desktop.page.keyboard.press('Control+Shift+Backspace');
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
});

test('A call of a tool of the workbench that waits for the person leads to its card from its row [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  const cards = [
    ['write', 'write-file', /new\.lisp/],
    ['delete', 'evaluate-lisp', /^Delete kept\.txt/],
  ] as const;
  for (const [words, tool, card] of cards) {
    await ask(desktop, words);
    const call = log(desktop).getByRole('article', { name: new RegExp(`called ${tool.replace('_', '.')}$`) });
    await expect(call).toContainText('This call waits for you.');
    expect(await faultsInBothThemes(desktop)).toEqual([]);
    await call.getByRole('button', { name: 'Show the card' }).press('Enter');
    const review = await desktop.review();
    await expect(review.getByRole('heading', { name: card })).toBeVisible();
    await review.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
    await expect(call).not.toContainText('waits for you');
  }
});

test('An agent that is paused says so where it is asked, and goes on from there [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await desktop.page.keyboard.press('Control+Shift+Period');
  await expect(panel(desktop)).toContainText('Paused: its calls are refused.');
  await ask(desktop, 'lie');
  // The evaluation that never ran does not seem to run on.
  await expect(log(desktop).getByRole('treegrid')).toContainText('did not run');
  await panel(desktop).getByRole('button', { name: 'Resume: Claude Code here' }).click();
  await expect(panel(desktop)).not.toContainText('Paused');
  await ask(desktop, 'lie');
  await expect(log(desktop).getByRole('treegrid').last()).toContainText('42');
});

test('After a restart a call that the workbench got is told apart from one that it never got [issue 14.3]', async ({
  launch,
}, info) => {
  const first = await launchWithAgent(launch, info, STORY);
  await ask(first, 'lie');
  await expect(log(first).getByRole('treegrid')).toContainText('42');
  await expect(log(first)).toContainText('the workbench has no such call');
  await first.close();

  const second = await launchBesideAgent(launch, info, STORY, { home: first.home, project: first.project });
  await second.page.keyboard.press('Control+Shift+X');
  await panel(second).getByRole('button', { name: 'Open: lie' }).click();
  const calls = log(second).getByRole('article', { name: /called evaluate-lisp$/ });
  await expect(calls.first()).toContainText('The workbench received this call, and its row is no longer in Activity.');
  await expect(calls.last()).toContainText('As reported by the agent: the workbench has no such call.');
});

test('Another folder is opened while an agent works only when the person lets it end [issue 14.2]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  const other = info.outputPath('other');
  await mkdir(other);
  await ask(desktop, 'sleep');
  await expect(log(desktop).getByRole('treegrid')).toBeVisible();
  await desktop.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, other);
  const question = desktop.page.getByRole('alertdialog', { name: 'Open another folder?' });
  await desktop.page.keyboard.press('Control+Shift+O');
  await expect(question).toContainText('Claude Code here works on this one at this moment.');
  await desktop.page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  const state = async () => {
    const { project, hostedAgents } = await desktop.snapshot();
    return [project?.path, hostedAgents[0]?.state];
  };
  expect(await state()).toEqual([desktop.project, 'working']);
  await desktop.page.keyboard.press('Control+Shift+O');
  await question.getByRole('button', { name: 'Open another folder' }).click();
  await expect.poll(state).toEqual([other, 'ended']);
});

test('An agent that works and says nothing is told of after 20 seconds, with its log and the stop [issue 33.2]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, { turns: [{ steps: [{ wait: 'cancel' }] }] });
  await ask(desktop, 'think');
  const silence = panel(desktop).getByRole('group', { name: 'Silence' });
  await expect(silence).toContainText('Nothing from Claude Code for', { timeout: 60_000 });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await desktop.page.screenshot({ path: info.outputPath('silence.png') });
  await silence.getByRole('button', { name: 'Log' }).click();
  await expect(desktop.region('Editor')).toContainText('Log of Claude Code here');
  await silence.getByRole('button', { name: 'Stop' }).click();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(silence).toBeHidden();
});
