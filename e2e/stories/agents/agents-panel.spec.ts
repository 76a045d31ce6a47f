/** The panel Agent, with the scripted agent in the place of a real program: what is asked, said and called in it. */
import { writeFileSync } from 'node:fs';
import {
  ask,
  clickStart,
  field,
  launchBesideAgent,
  launchWithAgent,
  log,
  panel,
  startAs,
} from '../../agents/agent-panel.ts';
import type { Story } from '../../agents/story.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { browserAside } from '../../desktop/browser-aside.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const STORY: Story = {
  modes: [
    { id: 'default', name: 'Default' },
    { id: 'plan', name: 'Plan' },
  ],
  turns: [
    { when: 'sleep', steps: [{ say: 'I sleep now.' }, { call: 'evaluate-lisp', arguments: { code: '(sleep 600)' } }] },
    { when: 'go away', steps: [{ say: 'Bye.' }, { exit: 3 }] },
    {
      when: 'define sq',
      steps: [
        { think: 'A square is a product of a number with itself.' },
        {
          plan: [
            { content: 'Define the function', status: 'completed' },
            { content: 'Call it with 12', status: 'in_progress' },
          ],
        },
        { say: 'I define **sq**:\n\n```lisp\n(defun sq (x)\n  "The square of X."\n  (* x x))\n```\n\n', pieces: 7 },
        { call: 'evaluate-lisp', arguments: { code: '(defun sq (x) "The square of X." (* x x)) (sq 12)' } },
        { lie: 'evaluate-lisp', arguments: { code: '(delete-everything)' } },
        { usage: { used: 12_400, size: 200_000, cost: 0.12 } },
        {
          say: 'It gives `144`. See [the notes](https://example.org/notes), <b>not bold</b>.\n\n- one\n- two',
          pieces: 5,
        },
      ],
    },
  ],
};

test('An agent that is started in the panel works in the image, and its call is the row of the activity [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await expect(field(desktop)).toBeFocused();

  await ask(desktop, 'Please define sq and call it with 12.');
  const said = log(desktop).getByRole('article', { name: /said$/ });
  await expect(said.last()).toContainText('It gives 144.');
  // Markdown, and HTML as the text that it is.
  await expect(said.first().getByRole('group', { name: 'Lisp code' })).toContainText('(* x x)');
  await expect(said.last()).toContainText('<b>not bold</b>');
  await expect(said.last().getByRole('listitem')).toHaveText(['one', 'two']);

  // The call is the row of the activity, with what it defined within it.
  const call = log(desktop).getByRole('treegrid', { name: 'Call of evaluate-lisp' });
  await expect(call.getByRole('row').first()).toContainText('144');
  await expect(call.getByRole('row').filter({ hasText: 'sq' }).last()).toContainText('new');
  await call.getByRole('row').first().click();
  await expect(log(desktop).getByRole('button', { name: 'Undo Its Definitions…' })).toBeVisible();
  // A call that the workbench never had is told as the agent's own story.
  await expect(log(desktop)).toContainText('As reported by the agent: the workbench has no such call.');

  await expect(panel(desktop)).toContainText('12k of 200k tokens · 0.12 USD, it says');
  await panel(desktop).getByRole('button', { name: 'Plan · 1 of 2 steps done' }).click();
  await expect(panel(desktop).getByRole('list', { name: 'Plan' })).toContainText('Call it with 12');

  expect(await faultsInBothThemes(desktop)).toEqual([]);
});

test('Stop ends the turn and the evaluation, and a prompt that waits can be taken back [issue 14.2]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await ask(desktop, 'sleep');
  await expect(log(desktop).getByRole('treegrid')).toBeVisible();
  await ask(desktop, 'then define sq');
  const queued = panel(desktop).getByRole('group', { name: 'Queued prompt' });
  await expect(queued).toContainText('then define sq');
  await queued.getByRole('button', { name: 'Take back' }).click();
  await expect(field(desktop)).toHaveValue('then define sq');
  await expect(queued).toBeHidden();

  await desktop.page.keyboard.press('Control+Shift+Backspace');
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('42');
});

test('An agent that dies says so in words, and its conversation can be read and gone on with [issue 14.3]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await ask(desktop, 'go away');
  const ended = panel(desktop).getByRole('group', { name: 'It has ended' });
  await expect(log(desktop)).toContainText('It ended with exit code 3. It said: I had enough.');
  await expect(ended).toContainText('Claude Code has ended. The conversation is saved with the project.');
  await expect(log(desktop)).toContainText('Bye.');
  await ended.getByRole('button', { name: 'Continue' }).click();
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Start unconfined' }).click();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(log(desktop)).toContainText('Bye.');
  await ask(desktop, 'define sq');
  await expect(log(desktop)).toContainText('It gives 144.');

  await panel(desktop).getByRole('button', { name: 'More about Claude Code here' }).click();
  await desktop.page.getByRole('menuitem', { name: 'End', exact: true }).click();
  await ended.getByRole('button', { name: 'Close' }).click();
  const kept = panel(desktop).getByRole('listitem', { name: 'go away' });
  await kept.getByRole('button', { name: 'Open: go away' }).click();
  await expect(log(desktop)).toContainText('It gives 144.');
  await panel(desktop).getByRole('button', { name: 'Back to all conversations' }).click();
  await kept.getByRole('button', { name: 'Forget: go away' }).click();
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click();
  await expect(kept).toBeHidden();
});

test('A form at the caret goes along as a chip that can be removed, and nothing is sent without the person [issue 14.4]', async ({
  launch,
}, info) => {
  const desktop = await launchBesideAgent(launch, info, STORY);
  await desktop.page.keyboard.press('Control+n');
  await desktop.page.keyboard.insertText('(defun area (w h) (* w h))');
  await desktop.page.keyboard.press('Alt+Shift+a');
  const chips = panel(desktop).getByRole('list', { name: 'Goes along with the prompt' });
  await expect(chips.getByRole('listitem')).toHaveCount(1);
  await expect(chips).toContainText('form in');
  await expect(field(desktop)).toBeFocused();
  await field(desktop).fill('What is this?');
  await startAs(desktop, 'Unconfined');
  // The agent that is started has what was written before.
  await expect(field(desktop)).toHaveValue('What is this?');
  // Beside it the project goes along, which the person can leave out.
  await expect(chips.getByRole('listitem')).toHaveCount(2);
  await chips.getByRole('button', { name: /^Leave out: Project/ }).click();
  await expect(chips.getByRole('listitem')).toHaveCount(1);
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await field(desktop).press('Enter');
  const asked = log(desktop).getByRole('article', { name: 'You asked' });
  await expect(asked.getByRole('list', { name: 'Went along' })).toContainText('form in');
  await expect(chips).toBeHidden();
  await expect(log(desktop).getByRole('article', { name: /said$/ })).toContainText('(defun area (w h)');
});

test('An error in the debugger goes along with its frames, and several agents are tabs [issue 14.4]', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, STORY);
  await desktop.repl('(defun area (w h) (* w h))');
  await desktop.repl('(area 2 "three")');
  await expect(desktop.page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await desktop.page.keyboard.press('Control+Shift+g');
  const stopped = desktop.region('Debugger');
  await expect(stopped.getByRole('group', { name: 'Locals' })).toBeVisible();
  await stopped.getByRole('button', { name: 'Ask an Agent…' }).click();
  await expect(field(desktop)).toBeFocused();
  await expect(field(desktop)).toHaveValue(/I choose the restart/);
  const chips = panel(desktop).getByRole('list', { name: 'Goes along with the prompt' });
  await expect(chips).toContainText('TYPE-ERROR');
  await field(desktop).press('Enter');
  const said = log(desktop).getByRole('article', { name: /said$/ });
  // The scripted agent says back the prompt and the chips that it was given.
  for (const part of ['Condition of type', 'Restarts (the person chooses):', '(AREA 2 "three")'])
    await expect(said).toContainText(part);
  // The code still waits for the person.
  await expect(desktop.page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();

  await panel(desktop).getByRole('button', { name: 'More about Claude Code here' }).click();
  await desktop.page.getByRole('menuitem', { name: 'Start Another…' }).click();
  await startAs(desktop, 'Unconfined');
  const tabs = panel(desktop).getByRole('tablist', { name: 'Agents' }).getByRole('tab');
  await expect(tabs).toHaveCount(2);
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(said).toBeHidden();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(field(desktop)).toBeFocused();
  await tabs.last().focus();
  await desktop.page.keyboard.press('ArrowLeft');
  await desktop.page.keyboard.press('Enter');
  await expect(said).toContainText('(AREA 2 "three")');
  // The letters of the debugger are dimmed while it has not the keyboard.
  await desktop.page.keyboard.press('Control+j');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
});

test('A folder that is not trusted and an agent that wants a login each say what to do, with the action beside it [issue 14.3]', async ({
  launch,
}, info) => {
  const story: Story = { login: true, turns: [{ steps: [{ say: 'I am in.' }] }] };
  const desktop = await launchBesideAgent(launch, info, story, { trusted: false });
  await desktop.page.keyboard.press('Control+Shift+X');
  const start = panel(desktop).getByRole('button', { name: 'Start Claude Code' });
  await expect(panel(desktop)).toContainText('is not trusted yet, and no agent is started in it');
  await expect(start).toBeDisabled();
  await panel(desktop).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(start).toBeEnabled();
  await panel(desktop).getByText('Unconfined', { exact: true }).click();
  await start.click();
  await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Start unconfined' }).click();
  const login = panel(desktop).getByRole('group', { name: 'Login' });
  await expect(login).toContainText('Claude Code wants you to log in.');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await login.getByRole('button', { name: 'Log in: Say the word' }).click();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await ask(desktop, 'Are you in?');
  await expect(log(desktop)).toContainText('I am in.');
});

test('A login at a terminal runs in the panel, and the conversation continues after it [issue 33.2]', async ({
  launch,
}, info) => {
  const desktop = await launchBesideAgent(launch, info, {
    login: true,
    loginFile: info.outputPath('logged-in'),
    code: 'open sesame',
    turns: [{ steps: [{ say: 'In.' }] }],
  });
  await desktop.page.keyboard.press('Control+Shift+X');
  await clickStart(desktop, 'Unconfined');
  const login = panel(desktop).getByRole('group', { name: 'Login' });
  const open = login.getByRole('button', { name: 'Log in: Say the word' });
  await open.click();
  const terminal = login.getByRole('group', { name: 'Terminal: Say the word' });
  await expect(terminal).toContainText('Code:');
  await expect(terminal).toContainText('https://login.example.org/device');
  await expect(open).toBeDisabled();
  await desktop.page.keyboard.type('wrong');
  await expect(terminal).toContainText('Code: wrong');
  await desktop.page.screenshot({ path: info.outputPath('terminal.png') });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await terminal.getByRole('textbox').focus();
  await desktop.page.keyboard.press('Enter');
  await expect(terminal.getByRole('alert')).toContainText('its program ended with exit code 2');
  await expect(terminal).toContainText('This code is wrong.');

  await open.click();
  await expect(terminal).not.toContainText('This code is wrong.');
  await expect(terminal).toContainText('Code:');
  // As a code from a page of the vendor's is put in.
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('open sesame'));
  await desktop.page.keyboard.press('Control+v');
  await expect(terminal).toContainText('Code: open sesame');
  await desktop.page.keyboard.press('Enter');
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(terminal).toBeHidden();
  await ask(desktop, 'Are you in?');
  await expect(log(desktop)).toContainText('In.');
});

test('A login that needs a page of the web asks the person to open it, and shows the code until that is done [issue 33.2]', async ({
  launch,
}, info) => {
  const done = info.outputPath('done');
  const address = 'https://login.example.org/device';
  const loginPage = { address, message: 'Sign in and enter this code: ABCD-1234', done };
  const desktop = await launchBesideAgent(launch, info, { login: true, loginPage, turns: [] });
  const opened = await browserAside(desktop);
  await desktop.page.keyboard.press('Control+Shift+X');
  await clickStart(desktop, 'Unconfined');
  await panel(desktop).getByRole('button', { name: 'Log in: Say the word' }).click();
  const page = panel(desktop).getByRole('group', { name: 'Page to open' });
  await expect(page).toContainText('Sign in and enter this code: ABCD-1234');
  await expect(page).toContainText('asks you to open a page of login.example.org');
  await desktop.page.screenshot({ path: info.outputPath('page.png') });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.getByRole('button', { name: 'Open…' }).click();
  const question = desktop.page.getByRole('alertdialog');
  await expect(question).toContainText(address);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Open…' })).toBeVisible();
  await page.getByRole('button', { name: 'Open…' }).click();
  await question.getByRole('button', { name: 'Open' }).click();
  await expect(page).toContainText('waits for you there');
  await expect(page).toContainText('ABCD-1234');
  expect(await opened()).toEqual([address]);
  writeFileSync(done, '');
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
  await expect(page).toBeHidden();
});

test('A login at a terminal that is shown again is answered no second time what it asked the terminal [issue 33.2]', async ({
  launch,
}, info) => {
  const desktop = await launchBesideAgent(launch, info, {
    login: true,
    loginFile: info.outputPath('logged-in'),
    asksTerminal: true,
    turns: [],
  });
  await desktop.page.keyboard.press('Control+Shift+X');
  await clickStart(desktop, 'Unconfined');
  await panel(desktop).getByRole('button', { name: 'Log in: Say the word' }).click();
  const terminal = panel(desktop).getByRole('group', { name: 'Terminal: Say the word' });
  await expect(terminal).toContainText('Typed "" after 1 answers.');
  await desktop.page.getByRole('tab', { name: 'Inspector' }).click();
  await expect(terminal).toBeHidden();
  await desktop.page.getByRole('tab', { name: 'Agent' }).click();
  await expect(terminal).toContainText('Typed "" after 1 answers.');
  await terminal.getByRole('textbox').press('x');
  await expect(terminal).toContainText('Typed "x" after 1 answers.');
});

/** Gives a picture of a page, as a file, to the prompt field as if it were pasted or dropped. */
async function give(desktop: Desktop, how: 'paste' | 'drop', name: string): Promise<void> {
  const image = (await desktop.page.screenshot({ clip: { x: 0, y: 0, width: 240, height: 120 } })).toString('base64');
  await field(desktop).evaluate(
    (area, { kind, data, title }) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.codePointAt(0)!);
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], title, { type: 'image/png' }));
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
      area.dispatchEvent(event);
    },
    { kind: how, data: image, title: name },
  );
}

test('Images that are pasted, dropped or chosen go along as chips with thumbnails, and stay in the conversation', async ({
  launch,
}, info) => {
  const desktop = await launchWithAgent(launch, info, { turns: [] });
  await panel(desktop)
    .getByRole('button', { name: /^Leave out: Project/ })
    .click();
  await give(desktop, 'paste', 'image.png');
  await give(desktop, 'drop', 'plot.png');
  const chips = panel(desktop).getByRole('list', { name: 'Goes along with the prompt' });
  await expect(chips.getByRole('img')).toHaveCount(2);
  await panel(desktop)
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
      {
        name: 'dot.gif',
        mimeType: 'image/gif',
        buffer: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
      },
    ]);
  await expect(panel(desktop).getByText('notes.txt is not a PNG, JPEG, GIF or WebP image.')).toBeVisible();
  await expect(chips.getByRole('listitem')).toContainText(['image.png', 'plot.png', 'dot.gif']);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await chips.getByRole('button', { name: 'Leave out: image.png' }).click();
  await expect(chips.getByRole('img')).toHaveCount(2);
  await field(desktop).fill('What is on them?');
  await field(desktop).press('Enter');
  await expect(log(desktop).getByRole('article', { name: /said$/ }).last()).toContainText(
    /What is on them\?\s*image\/png of \d+ bytes\s*image\/gif of 42 bytes/,
  );
  const asked = log(desktop).getByRole('article', { name: 'You asked' });
  await expect(asked.getByRole('img', { name: 'Thumbnail of plot.png' })).toHaveAttribute(
    'src',
    /^data:image\/webp;base64,/,
  );
  // It is drawn: the policy of the page lets the thumbnail through.
  await expect
    .poll(() =>
      asked
        .locator('img')
        .first()
        .evaluate((each) => (each as HTMLImageElement).naturalWidth),
    )
    .toBe(96);
});

test('An agent that takes no images says so in a sentence, and the text is kept', async ({ launch }, info) => {
  const desktop = await launchWithAgent(launch, info, { withoutImages: true, turns: [] });
  await panel(desktop)
    .getByRole('button', { name: /^Leave out: Project/ })
    .click();
  await field(desktop).fill('Look at this.');
  await give(desktop, 'paste', 'image.png');
  await expect(panel(desktop).getByText(/ does not accept images\. Your text is still here\.$/)).toBeVisible();
  await expect(field(desktop)).toHaveValue('Look at this.');
  await expect(panel(desktop).getByRole('list', { name: 'Goes along with the prompt' })).toHaveCount(0);
});
