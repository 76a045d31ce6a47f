/** The focus returns to the text that had it before, after Escape in a region that a command opened, and after the region is hidden. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { editorRegion, region } from '../../text.fixture.ts';
import { answer, type FakeCore, openWholeWindow, press, type } from '../../window.fixture.tsx';
import { focusedRegion } from './regions.ts';

/** The keys of each command that moves the focus away from the text, and the region or dialog that gets the focus. */
const PANELS = [
  ['Shift+F12', 'References'],
  ['Control+F1', 'Documentation'],
  ['Control+Alt+I', 'Inspector'],
  ['Control+Shift+X', 'Agent'],
  ['Control+Shift+M', 'Problems'],
  ['Control+Shift+F', 'Search'],
  ['Control+Shift+U', 'Output'],
  ['Control+Shift+G', 'Debugger'],
  ['Control+Shift+E', 'Files'],
  ['Control+Shift+D', 'Definitions'],
  ['Control+Shift+Y', 'Systems'],
  ['Control+Shift+J', 'Clients'],
  ['Control+Shift+H', 'Activity'],
] as const;

const DIALOGS = ['Control+Shift+P', 'Control+P', 'Control+T', 'Control+Shift+R', 'Control+,', 'F1'] as const;

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
  await openOnDisk(disk, 'area.lisp', '(defun ¦area (r) (* r r))');
});

const replInput = () => page.getByRole('textbox', { name: 'REPL input' });

async function isIn(name: string): Promise<void> {
  await expect.poll(focusedRegion).toBe(name);
}

/** Waits until the editor's text has the focus. */
async function isInText(after = ''): Promise<void> {
  await expect
    .poll(() => editorRegion().element().querySelector('.native-edit-context') === document.activeElement, {
      message: after,
    })
    .toBe(true);
}

it('Escape in each panel that took the keyboard gives it back to the text of the editor [issue 36.4]', async () => {
  for (const [keys, name] of PANELS) {
    await press(keys);
    await isIn(name);
    await press('Escape');
    await isInText(`after Escape in ${name}`);
  }
  // The editor's keys work immediately after the focus has returned.
  await press('Shift+F12');
  await isIn('References');
  await press('Escape');
  await press('F2');
  await expect.element(editorRegion().getByRole('textbox', { name: /^Rename input/ })).toHaveFocus();
  await press('Escape');
  await isInText();
});

it('Escape in a dialog or in the palette gives the keyboard back to the text of the editor [issue 36.4]', async () => {
  for (const keys of DIALOGS) {
    await press(keys);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await press('Escape');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await isInText(`after Escape from ${keys}`);
  }
});

it('Escape gives the keyboard back to where it was in a text, through several panels and out of another REPL tab [issue 36.4]', async () => {
  await press('Shift+F12');
  await isIn('References');
  await press('Control+Shift+M');
  await isIn('Problems');
  await press('Shift+F6', 3);
  await press('Control+Shift+E');
  await isIn('Files');
  await press('Escape');
  await isInText();
  await press('Control+`');
  await expect.element(replInput()).toHaveFocus();
  await press('Control+Shift+M');
  await expect.element(replInput()).not.toBeInTheDocument();
  await press('Escape');
  await expect.element(replInput()).toHaveFocus();
  await expect.element(replInput()).toBeVisible();
});

it('A list that becomes empty leaves the keyboard in its panel [issue 36.4]', async () => {
  await press('Control+Shift+E');
  await expect.element(region('Files')).toMatchTextContent('area.lisp');
  (region('Files').getByRole('tree').element() as HTMLElement).focus();
  disk.remove('area.lisp');
  await expect.element(region('Files')).toMatchTextContent('The folder is empty.');
  await isIn('Files');
  await press('Escape');
  await isInText();
});

it('Hiding the panel that has the keyboard gives it back to the text [issue 36.4]', async () => {
  for (const [show, name, hide] of [
    ['Control+Shift+M', 'Problems', 'Control+J'],
    ['Control+F1', 'Documentation', 'Control+Shift+L'],
    ['Control+Shift+Y', 'Systems', 'Control+B'],
  ] as const) {
    await press(show);
    await isIn(name);
    await press(hide);
    await expect.element(region(name)).not.toBeInTheDocument();
    await isInText(`after ${name} was hidden`);
  }
});

it('A dock that is hidden from the REPL stays hidden, and the keyboard is in the editor [issue 36.4]', async () => {
  await press('Control+`');
  await expect.element(replInput()).toHaveFocus();
  await press('Control+j');
  await expect.element(region('REPL')).not.toBeInTheDocument();
  await isInText();
});

it('Escape on a button of the REPL leads to its input [issue 36.4]', async () => {
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['(1 2)']) });
  await replInput().click();
  await type('(list 1 2)');
  await press('Control+Enter');
  const value = region('REPL').getByRole('button', { name: 'Inspect (1 2)' });
  await expect.element(value).toBeVisible();
  (value.element() as HTMLElement).focus();
  await press('Escape');
  await expect.element(replInput()).toHaveFocus();
});

it('The key after a command goes to the shown region, even before the next frame is drawn [D17, issue 36.4]', async () => {
  const draw = window.requestAnimationFrame;
  // The frames are only delayed: the editor would never draw again if one were lost.
  const delayed: FrameRequestCallback[] = [];
  window.requestAnimationFrame = (callback) => delayed.push(callback);
  try {
    for (const [keys, name] of [
      ['Control+1', 'Editor'],
      ['Control+Shift+D', 'Definitions'],
      ['Control+Shift+Y', 'Systems'],
      ['Control+Shift+J', 'Clients'],
      ['Control+Shift+U', 'Output'],
      ['Control+Shift+H', 'Activity'],
    ] as const) {
      await press(keys);
      expect.soft(focusedRegion(), keys).toBe(name);
    }
  } finally {
    window.requestAnimationFrame = draw;
    for (const callback of delayed) draw.call(window, callback);
  }
});

it('The text gets the focus when the bar or the notice with the pressed button disappears [issue 39.1]', async () => {
  const bar = page.getByRole('status', { name: 'Trust' });
  const project = { path: '/home/ada/shop', name: 'shop', trusted: false };
  answer({
    'project.trust': () => {
      core.tell('project-changed', { ...project, trusted: true });
      return { ...project, trusted: true };
    },
  });
  await press('Control+1');
  for (const way of ['click', 'Enter']) {
    core.tell('project-changed', project);
    const button = bar.getByRole('button', { name: 'Trust this folder' });
    await expect.element(button).toBeVisible();
    if (way === 'click') await button.click();
    else {
      (button.element() as HTMLElement).focus();
      await press('Enter');
    }
    await expect.element(bar).not.toBeInTheDocument();
    await isInText(way);
  }
  await press('Control+Alt+m');
  await page.getByRole('button', { name: 'Dismiss notice' }).click();
  await isInText('after a notice');
});
