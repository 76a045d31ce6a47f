/**
 * The prompt to an agent: the context from the editor, the debugger and the clipboard that is sent with it, and how the person leaves some
 * of it out.
 */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { openText, region } from '../../../text.fixture.ts';
import { answer, faults, press } from '../../../window.fixture.tsx';
import {
  ask,
  asked,
  chips,
  choose,
  clickStart,
  field,
  log,
  openAgents,
  panel,
  readyAgent,
  ready,
  said,
} from './agent.fixture.ts';

const PROJECT: PromptContext = { kind: 'project', title: 'Project shop', text: 'The project is in /home/ada/shop.' };
const youAsked = log.getByRole('article', { name: 'You asked' });

it('A form at the caret goes along as a chip that can be removed, and nothing is sent without the person [issue 14.4]', async () => {
  const core = await openAgents([], { place: [PROJECT] });
  await openText('(defun area (w h) ¦(* w h))');
  await press('Alt+Shift+a');
  await expect.element(chips).toMatchTextContent('form in');
  expect(chips.getByRole('listitem').elements()).toHaveLength(1);
  await expect.element(field).toHaveFocus();
  await field.fill('What is this?');
  await clickStart('Unconfined');
  // The prompt field of the started agent contains the text that was written before the start.
  await expect.element(field).toHaveValue('What is this?');
  // The project is also part of the context, and the person can leave it out.
  await chips.getByRole('button', { name: /^Remove: Project/ }).click();
  await expect.poll(() => chips.getByRole('listitem').elements().length).toBe(1);
  await expect.element(ready).toBeVisible();
  expect(core.inputs('hosted.prompt')).toEqual([]);
  await field.click();
  await press('Enter');
  await expect
    .poll(() => core.inputs('hosted.prompt'))
    .toMatchObject([
      {
        text: 'What is this?',
        context: [
          {
            kind: 'form',
            title: 'form in shop.lisp, line 1',
            text: expect.stringContaining('(defun area (w h) (* w h))'),
          },
        ],
      },
    ]);
  core.item(asked(1, 'What is this?', { context: ['form in shop.lisp, line 1'] }));
  await expect.element(youAsked.getByRole('list', { name: 'Attachments' })).toMatchTextContent('form in');
  await expect.element(chips).not.toBeInTheDocument();
});

const PERSON = { id: 'person', kind: 'person' as const, name: 'you' };
const STOPPED = {
  id: 'd1',
  evaluation: 'e1',
  held: false,
  thread: 'evaluation',
  kind: 'error' as const,
  level: 1,
  type: 'TYPE-ERROR',
  message: 'The value "three" is not of type NUMBER',
  steps: { within: false, out: false },
};
const HEAD: DebuggerHead = {
  ...STOPPED,
  actor: PERSON,
  summary: '(area 2 "three")',
  since: Date.now(),
  proposals: [],
  question: null,
};
const RECORD: DebuggerRecord = {
  ...STOPPED,
  actor: PERSON.id,
  package: 'COMMON-LISP-USER',
  step: null,
  handle: 1,
  restarts: [{ index: 0, name: 'ABORT', report: 'End the evaluation.', parameters: [], asks: false }],
  frames: [
    {
      index: 0,
      function: 'AREA',
      package: 'COMMON-LISP-USER',
      call: '(AREA 2 "three")',
      arguments: [],
      internal: false,
      restartable: true,
      source: null,
    },
  ],
  moreFrames: false,
};

it('An error in the debugger goes along with its frames, and several agents are tabs [issue 14.4]', async () => {
  const core = await openAgents([readyAgent()]);
  await expect.element(ready).toBeVisible();
  const value = { text: '"three"', type: '(SIMPLE-ARRAY CHARACTER (5))', cut: 0, handle: 2 };
  answer({
    'debugger.record': () => RECORD,
    'debugger.locals': () => ({ locals: [{ index: 0, name: 'H', id: 0, value, absence: null }] }),
  });
  core.tell('debuggers-changed', { debuggers: [HEAD], gone: null });
  const open = page.getByRole('tab', { name: 'Debugger 1 open' });
  await expect.element(open).toBeVisible();
  await press('Control+Shift+g');
  const stopped = region('Debugger');
  await expect.element(stopped.getByRole('group', { name: 'Locals' })).toBeVisible();
  await stopped.getByRole('button', { name: 'Ask an Agent…' }).click();
  await expect.element(field).toHaveFocus();
  await expect
    .element(field)
    .toHaveValue('Why did this happen? Look at the frames and their variables. I choose the restart.');
  await expect.element(chips).toMatchTextContent('TYPE-ERROR');
  await press('Enter');
  await expect.poll(() => core.inputs('hosted.prompt').length).toBe(1);
  const [{ context }] = core.inputs('hosted.prompt') as [{ context: PromptContext[] }];
  const text = context.find(({ kind }) => kind === 'condition')!.text;
  for (const part of ['Condition of type', 'Restarts (the person chooses):', '(AREA 2 "three")', 'H = "three"'])
    expect.soft(text).toContain(part);
  // The code that stopped in the debugger is still waiting for the person.
  await expect.element(open).toBeVisible();
  const words = log.getByRole('article', { name: /said$/ });
  core.item(said(1, 'It is no number.'));
  await expect.element(words).toMatchTextContent('It is no number.');

  await choose('Start Another…');
  await clickStart('Unconfined');
  const tabs = panel.getByRole('tablist', { name: 'Agents' }).getByRole('tab');
  await expect.element(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
  expect(tabs.elements()).toHaveLength(2);
  await expect.element(words).not.toBeInTheDocument();
  await expect.element(ready).toBeVisible();
  await expect.element(field).toHaveFocus();
  (tabs.nth(1).element() as HTMLElement).focus();
  await press('ArrowLeft');
  await press('Enter');
  await expect.element(words).toMatchTextContent('It is no number.');
  // The debugger's letter keys are shown dimmed while the debugger does not have the focus.
  await press('Control+j');
  expect(await faults()).toEqual([]);
  core.tell('debuggers-changed', { debuggers: [], gone: null });
  await expect.element(stopped).not.toBeInTheDocument();
});

/** Returns a picture as a file. */
async function picture(name: string): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 240, height: 120 });
  canvas.getContext('2d')!.fillRect(20, 20, 100, 40);
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((each) => resolve(each!), 'image/png'));
  return new File([blob], name, { type: 'image/png' });
}

/** Adds a file to the prompt by pasting it into the field or dropping it there. */
async function give(how: 'paste' | 'drop', file: File): Promise<void> {
  await expect.element(field).toBeVisible();
  const transfer = new DataTransfer();
  transfer.items.add(file);
  const shared = { bubbles: true, cancelable: true };
  field
    .element()
    .dispatchEvent(
      how === 'paste'
        ? new ClipboardEvent('paste', { clipboardData: transfer, ...shared })
        : new DragEvent('drop', { dataTransfer: transfer, ...shared }),
    );
}

const GIF = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (each) =>
  each.codePointAt(0)!,
);

it('Images that are pasted, dropped or chosen go along as chips with thumbnails, and stay in the conversation [issue 36.4]', async () => {
  const core = await openAgents([readyAgent()], { place: [PROJECT] });
  await chips.getByRole('button', { name: /^Remove: Project/ }).click();
  await give('paste', await picture('image.png'));
  await give('drop', await picture('plot.png'));
  await expect.poll(() => chips.getByRole('img').elements().length).toBe(2);
  await userEvent.upload(panel.getByLabelText('Images for the prompt'), [
    new File(['words'], 'notes.txt', { type: 'text/plain' }),
    new File([GIF], 'dot.gif', { type: 'image/gif' }),
  ]);
  await expect.element(panel.getByText('notes.txt is not a PNG, JPEG, GIF or WebP image.')).toBeVisible();
  await expect
    .poll(() =>
      chips
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([
      expect.stringContaining('image.png'),
      expect.stringContaining('plot.png'),
      expect.stringContaining('dot.gif'),
    ]);
  expect(await faults()).toEqual([]);
  await chips.getByRole('button', { name: 'Remove: image.png' }).click();
  await expect.poll(() => chips.getByRole('img').elements().length).toBe(2);
  await ask('What is on them?');
  await expect.poll(() => core.inputs('hosted.prompt').length).toBe(1);
  const [{ context }] = core.inputs('hosted.prompt') as [{ context: PromptContext[] }];
  expect(context.map(({ title, image }) => [title, image!.type])).toEqual([
    ['plot.png', 'image/png'],
    ['dot.gif', 'image/gif'],
  ]);
  expect(atob(context[1]!.image!.data)).toHaveLength(42);
  const images = context.map(({ title, image }) => ({ name: title, thumbnail: image!.thumbnail }));
  core.item(asked(1, 'What is on them?', { images }));
  const thumbnail = youAsked.getByRole('img', { name: 'Thumbnail of plot.png' });
  await expect.element(thumbnail).toHaveAttribute('src', expect.stringMatching(/^data:image\/webp;base64,/));
  await expect.poll(() => (thumbnail.element() as HTMLImageElement).naturalWidth).toBe(96);
});

it('An agent that takes no images says so in a sentence, and the text is kept [issue 36.4]', async () => {
  await openAgents([readyAgent({ takesImages: false })]);
  await field.fill('Look at this.');
  await give('paste', await picture('image.png'));
  await expect.element(panel.getByText(/ does not accept images\. Your text is still here\.$/)).toBeVisible();
  await expect.element(field).toHaveValue('Look at this.');
  await expect.element(chips).not.toBeInTheDocument();
});
