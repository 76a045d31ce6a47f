/** Stories about the Agent panel, from login to the end of the agent. A scripted agent replaces a real program. */
import { clickStart, field, ask, launchBesideAgent, log, panel } from '../../agents/agent-panel.ts';
import type { Story } from '../../agents/story.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const TURNS: Story['turns'] = [
  { when: 'sleep', steps: [{ say: 'I sleep now.' }, { call: 'evaluate-lisp', arguments: { code: '(sleep 600)' } }] },
  { when: 'delete', steps: [{ call: 'evaluate-lisp', arguments: { code: '(delete-file "kept.txt")' } }] },
  { when: 'shell', steps: [{ shell: 'echo hello', asks: true }] },
  {
    when: 'define sq',
    steps: [
      { think: 'A square is a product of a number with itself.' },
      { plan: [{ content: 'Call it with 12', status: 'in_progress' }] },
      { call: 'evaluate-lisp', arguments: { code: '(defun sq (x) "The square of X." (* x x)) (sq 12)' } },
      { lie: 'evaluate-lisp', arguments: { code: '(delete-everything)' } },
      { usage: { used: 12_400, size: 200_000, cost: 0.12 } },
      { say: 'It gives `144`.', pieces: 5 },
    ],
  },
];

/** Pastes a screenshot of the page, as a file, into the prompt field. */
async function pastePicture(desktop: Desktop): Promise<void> {
  const image = (await desktop.page.screenshot({ clip: { x: 0, y: 0, width: 240, height: 120 } })).toString('base64');
  await field(desktop).evaluate((area, data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.codePointAt(0)!);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'plot.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, image);
}

test('An agent that is started in the panel logs in, works in the image, asks, is killed, and is gone on with [issue 14.2, issue 14.3, issue 33.2]', async ({
  launch,
}, info) => {
  const story = { login: true, loginFile: info.outputPath('logged-in'), code: 'open sesame', turns: TURNS };
  const desktop = await launchBesideAgent(launch, info, story);
  const { page } = desktop;
  const ready = panel(desktop).getByText('ready', { exact: true });
  const stop = panel(desktop).getByRole('button', { name: 'Stop', exact: true });
  await page.keyboard.press('Control+Shift+X');
  await clickStart(desktop, 'Unconfined');
  const login = panel(desktop).getByRole('group', { name: 'Login' });
  await login.getByRole('button', { name: 'Log in: Say the word' }).click();
  await expect(login.getByRole('group', { name: 'Terminal: Say the word' })).toContainText('Code:');
  await page.keyboard.type('open sesame');
  await expect(login).toContainText('Code: open sesame');
  await page.keyboard.press('Enter');
  await expect(ready).toBeVisible();
  await expect(field(desktop)).toBeFocused();

  // A call that the workbench received is shown as its row of the activity. Any other call is marked as only reported by the agent.
  await ask(desktop, 'Please define sq and call it with 12.');
  await expect(log(desktop).getByRole('article', { name: /said$/ }).last()).toContainText('It gives 144.');
  const call = log(desktop).getByRole('treegrid', { name: 'Call of evaluate-lisp' });
  await expect(call.getByRole('row').first()).toContainText('144');
  await expect(call.getByRole('row').filter({ hasText: 'sq' }).last()).toContainText('new');
  await expect(log(desktop)).toContainText('Reported by the agent: the workbench did not receive this call.');
  await expect(panel(desktop)).toContainText('12k of 200k tokens · 0.12 USD (reported by the agent)');
  await expect(panel(desktop).getByRole('button', { name: 'Plan · 0 of 1 step done' })).toBeVisible();

  // An image is sent with the prompt, and the page's policy allows its thumbnail.
  await pastePicture(desktop);
  await ask(desktop, 'What is on it?');
  await expect(log(desktop).getByRole('article', { name: /said$/ }).last()).toContainText(/image\/png of \d+ bytes/);
  const thumbnail = log(desktop).getByRole('img', { name: 'Thumbnail of plot.png' });
  await expect.poll(() => thumbnail.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBe(96);

  // A click opens the card of a waiting call.
  const review = await desktop.review();
  await ask(desktop, 'shell');
  await panel(desktop).getByRole('button', { name: 'Show the card' }).click();
  await expect(review.getByRole('heading', { name: 'Use Claude Code’s own tool: echo hello' })).toBeVisible();
  await page.keyboard.press('Control+Shift+Backspace');
  await expect(ready).toBeVisible();
  await ask(desktop, 'delete');
  await log(desktop).getByRole('button', { name: 'Show the card' }).press('Enter');
  await expect(review.getByRole('heading', { name: /^Delete kept\.txt/ })).toBeVisible();
  await review.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(ready).toBeVisible();

  await ask(desktop, 'sleep');
  await expect.poll(async () => (await desktop.snapshot()).session.running?.summary).toBe('(sleep 600)');
  await expect(stop).toBeVisible();
  await page.keyboard.press('Control+Shift+Backspace');
  await expect(ready).toBeVisible();
  await expect.poll(async () => (await desktop.snapshot()).session.running).toBeNull();

  // Typed text is not lost when the agent's process ends.
  await ask(desktop, 'sleep');
  await expect.poll(async () => (await desktop.snapshot()).session.running?.summary).toBe('(sleep 600)');
  await expect(stop).toBeVisible();
  await ask(desktop, 'queued words');
  await expect(panel(desktop).getByRole('group', { name: 'Queued prompt' })).toBeVisible();
  await field(desktop).fill('a draft');
  process.kill((await desktop.snapshot()).hostedAgents[0]!.process!.pid, 'SIGKILL');
  const ended = panel(desktop).getByRole('group', { name: 'Agent ended' });
  await expect(ended).toBeFocused();
  await ended.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start unconfined' }).click();
  await expect(ready).toBeVisible();
  await expect(field(desktop)).toHaveValue('queued words\n\na draft');
  await ask(desktop, 'define sq');
  await expect(log(desktop)).toContainText('It gives 144.');
});
