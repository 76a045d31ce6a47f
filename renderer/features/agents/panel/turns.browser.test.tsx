/** An agent's turns: messages, calls, requests that wait for the person, and how turns are stopped, paused, ended and continued. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { region } from '../../../text.fixture.ts';
import { answer, faults, press } from '../../../window.fixture.tsx';
import recorded from '../../activity/activity.fixture.json';
import {
  ask,
  asked,
  called,
  choose,
  field,
  log,
  notice,
  openAgents,
  panel,
  question,
  readyAgent,
  ready,
  said,
} from './agent.fixture.ts';

const EVENTS = recorded.events as unknown as ActivityEvent[];
const ended = panel.getByRole('group', { name: 'Agent ended' });
const queued = panel.getByRole('group', { name: 'Queued prompt' });
const AT_WORK = { state: 'working', turnStartedAt: Date.now() } as const;

/** Starts the agent without a sandbox, and confirms this. */
async function startUnconfined(): Promise<void> {
  await question.getByRole('button', { name: 'Start unconfined' }).click();
}

it('A turn is drawn as words in Markdown and the row of its call, with its plan and what it used [issue 14.3, issue 36.4]', async () => {
  const items: AgentItem[] = [
    asked(1, 'Please define area.'),
    said(2, 'I define **area**:\n\n```lisp\n(defun area (r)\n  "The area of R."\n  (* 3 r r))\n```\n\n'),
    called(3, 'evaluate-lisp', { call: 'id-2' }),
    called(4, 'evaluate-lisp', { input: { text: '(delete-everything)', cut: 0 } }),
    said(5, 'It gives `144`. See [the notes](https://example.org/notes), <b>not bold</b>.\n\n- one\n- two'),
  ];
  const plan = [
    { text: 'Define the function', status: 'completed' as const },
    { text: 'Call it with 12', status: 'in_progress' as const },
  ];
  const usage = { used: 12_400, size: 200_000, cost: '0.12 USD' };
  await openAgents([readyAgent({ plan, usage })], { items, snapshot: { activity: EVENTS.slice(0, 12) } });
  answer({
    'activity.details': ({ ids }) => recorded.details.filter(({ id }) => ids.includes(id)),
    'definitions.difference': () => recorded.differences[2] as never,
  });
  const words = log.getByRole('article', { name: /said$/ });
  await expect.element(words.last()).toMatchTextContent('It gives 144.');
  // Markdown is rendered, and HTML is shown as text.
  await expect.element(words.first().getByRole('group', { name: 'Lisp code' })).toMatchTextContent('(* 3 r r)');
  await expect.element(words.last()).toMatchTextContent('<b>not bold</b>');
  expect(
    words
      .last()
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['one', 'two']);
  // The call is shown as it appears in the activity, including the definitions that it made.
  const rows = log.getByRole('treegrid', { name: 'Call of evaluate-lisp' }).getByRole('row');
  await expect.element(rows.first()).toMatchTextContent('VOLUME');
  await expect.element(rows.filter({ hasText: 'volume' }).last()).toMatchTextContent('new');
  await rows.first().click();
  await expect.element(log.getByRole('button', { name: 'Undo Its Definitions…' })).toBeVisible();
  // A call that the workbench never received is shown as reported only by the agent.
  await expect.element(log).toMatchTextContent('Reported by the agent: the workbench did not receive this call.');
  await expect.element(panel).toMatchTextContent('12k of 200k tokens · 0.12 USD (reported by the agent)');
  await panel.getByRole('button', { name: 'Plan · 1 of 2 steps done' }).click();
  await expect.element(panel.getByRole('list', { name: 'Plan' })).toMatchTextContent('Call it with 12');
  expect(await faults()).toEqual([]);
});

it('Stop ends the turn, and a prompt that waits can be taken back [issue 14.2, issue 36.4]', async () => {
  const core = await openAgents([readyAgent(AT_WORK)]);
  answer({
    'hosted.prompt': ({ text }) => {
      core.change({ queued: text });
      return {};
    },
    'hosted.unqueue': () => {
      core.change({ queued: null });
      return { text: 'then define sq', context: [] };
    },
  });
  await ask('then define sq');
  await expect.element(queued).toMatchTextContent('then define sq');
  await queued.getByRole('button', { name: 'Withdraw' }).click();
  await expect.element(field).toHaveValue('then define sq');
  await expect.element(queued).not.toBeInTheDocument();
  await press('Control+Shift+Backspace');
  await expect.element(ready).toBeVisible();
  expect(core.inputs('hosted.stop')).toEqual([{ id: core.hosted()[0]!.id }]);
});

it('An agent that dies says so in words, and its conversation can be read and gone on with [issue 14.3, issue 36.4]', async () => {
  const agent = readyAgent(AT_WORK);
  const problem = 'It ended with exit code 3. It said: I had enough.';
  const items = [asked(1, 'go away'), said(2, 'Bye.'), notice(3, problem)];
  const core = await openAgents([agent], { items });
  const { id, program, title, standing } = agent;
  let kept = [{ id, program, title, standing, startedAt: Date.now(), about: 'go away', items: 3 }];
  answer({
    'hosted.conversations': () => ({ conversations: kept }),
    'hosted.forget': () => {
      kept = [];
      return {};
    },
  });
  core.change({ state: 'ended', process: null, resumable: true, turnStartedAt: null, problem });
  await expect.element(log).toMatchTextContent(problem);
  await expect.element(ended).toMatchTextContent('Claude Code has ended. The conversation is saved with the project.');
  await expect.element(log).toMatchTextContent('Bye.');
  await ended.getByRole('button', { name: 'Continue' }).click();
  await startUnconfined();
  await expect.element(ready).toBeVisible();
  expect(core.inputs('hosted.start')).toEqual([{ program, standing, conversation: id }]);
  await expect.element(log).toMatchTextContent('Bye.');
  core.item(said(4, 'It gives 144.'));
  await expect.element(log).toMatchTextContent('It gives 144.');

  await choose('End');
  await ended.getByRole('button', { name: 'Close' }).click();
  const row = panel.getByRole('listitem', { name: 'go away' });
  await row.getByRole('button', { name: 'Open: go away' }).click();
  await expect.element(log).toMatchTextContent('Bye.');
  await panel.getByRole('button', { name: 'Back to all conversations' }).click();
  await row.getByRole('button', { name: 'Forget: go away' }).click();
  await question.getByRole('button', { name: 'Forget' }).click();
  await expect.element(row).not.toBeInTheDocument();
  expect(core.inputs('hosted.forget')).toEqual([{ id }]);
});

it('An agent that is killed gives the queued prompt back, and the keyboard is where work goes on [issue 14.3, issue 36.4]', async () => {
  const agent = readyAgent({ ...AT_WORK, queued: 'queued words' });
  const core = await openAgents([agent]);
  const { id, program, title, standing } = agent;
  answer({
    'hosted.unqueue': () => ({ text: 'queued words', context: [] }),
    'hosted.conversations': () => ({
      conversations: [{ id, program, title, standing, startedAt: Date.now(), about: 'sleep', items: 3 }],
    }),
  });
  await expect.element(queued).toBeVisible();
  await field.fill('a draft');
  core.change({ state: 'ended', process: null, resumable: true, turnStartedAt: null });
  await expect.element(ended).toHaveFocus();
  core.change({ queued: null });
  await ended.getByRole('button', { name: 'Continue' }).click();
  await startUnconfined();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue('queued words\n\na draft');
  // The conversation is already open in its agent's tab, so it is not offered for continuing.
  await choose('Start Another…');
  await expect.element(panel.getByRole('button', { name: 'Start Claude Code' })).toBeVisible();
  await expect.element(panel.getByRole('button', { name: /^Continue/ })).not.toBeInTheDocument();
});

it('A request for a tool of its own is shown in the conversation, with the way to its card [issue 14.3, issue 36.4]', async () => {
  const items = [asked(1, 'shell'), called(2, 'echo hello', { tool: null, status: 'pending' })];
  const core = await openAgents([readyAgent({ ...AT_WORK, asks: true })], { items });
  await expect.element(panel).toMatchTextContent('waiting for you');
  await expect.element(log.getByRole('article', { name: /called echo hello$/ })).toBeVisible();
  expect(await faults()).toEqual([]);
  await panel.getByRole('button', { name: 'Show the card' }).click();
  await expect.poll(() => core.inputs('review.show')).toEqual([{ open: true, focus: true }]);
  await press('Control+Shift+Backspace');
  await expect.element(ready).toBeVisible();
  await expect.element(panel).not.toMatchTextContent('waiting for you');
});

it.each([
  { tool: 'write-file', call: 'id-7', from: 26, waits: 27, decided: 29 },
  { tool: 'evaluate-lisp', call: 'id-9', from: 30, waits: 33, decided: 37 },
])(
  'A call of $tool that waits for the person leads to its card from its row [issue 14.3, issue 36.4]',
  async ({ tool, call: id, from, waits, decided }) => {
    const between = (first: number, last: number): ActivityEvent[] =>
      EVENTS.filter(({ seq }) => seq >= first && seq <= last);
    const items = [asked(1, 'do it'), called(2, tool, { call: id, status: 'running' })];
    const snapshot = { activity: between(from, waits), waitingApprovals: 1 };
    const core = await openAgents([readyAgent(AT_WORK)], { items, snapshot });
    const row = log.getByRole('article', { name: new RegExp(`called ${tool}$`) });
    await expect.element(row).toMatchTextContent('This call is waiting for you.');
    expect(await faults()).toEqual([]);
    (row.getByRole('button', { name: 'Show the card' }).element() as HTMLElement).focus();
    await press('Enter');
    await expect.poll(() => core.inputs('review.show')).toEqual([{ open: true, focus: true }]);
    core.tell('activity-added', between(waits + 1, decided));
    core.change({ state: 'idle', turnStartedAt: null });
    await expect.element(ready).toBeVisible();
    await expect.element(row).not.toMatchTextContent('waiting for you');
  },
);

it('An agent that is paused says so where it is asked, and goes on from there [issue 14.3, issue 36.4]', async () => {
  const agent = readyAgent();
  const client = { ...recorded.client, id: agent.actor.id, name: agent.actor.name, paused: 'Paused by you.' } as never;
  const items = [asked(1, 'lie'), called(2, 'evaluate-lisp', { call: 'id-11', status: 'failed' })];
  const snapshot = { activity: EVENTS.slice(-4), clients: [client] };
  const core = await openAgents([agent], { items, snapshot });
  answer({
    'clients.change': () => {
      core.tell('clients-changed', [{ ...(client as object), paused: null } as never]);
      return {};
    },
  });
  await expect.element(panel).toMatchTextContent('Paused: its calls are refused.');
  // An evaluation that never ran is not shown as running.
  await expect.element(log.getByRole('treegrid')).toMatchTextContent('did not run');
  await panel.getByRole('button', { name: 'Resume: Claude Code here' }).click();
  await expect.element(panel).not.toMatchTextContent('Paused');
  expect(core.inputs('clients.change')).toEqual([{ id: agent.actor.id, paused: false }]);
});

it('After a restart a call that the workbench got is told apart from one that it never got [issue 14.3, issue 36.4]', async () => {
  const items = [asked(1, 'lie'), called(2, 'evaluate-lisp', { call: 'gone' }), called(3, 'evaluate-lisp')];
  await openAgents([], { items });
  const kept = { program: 'claude-code', title: 'Claude Code', standing: 'unconfined' as const, startedAt: 1 };
  answer({ 'hosted.conversations': () => ({ conversations: [{ ...kept, id: 'before', about: 'lie', items: 3 }] }) });
  await panel.getByRole('button', { name: 'Search again' }).click();
  await panel.getByRole('button', { name: 'Open: lie' }).click();
  const calls = log.getByRole('article', { name: /called evaluate-lisp$/ });
  await expect
    .element(calls.first())
    .toMatchTextContent('The workbench received this call, but its row is no longer in Activity.');
  await expect
    .element(calls.last())
    .toMatchTextContent('Reported by the agent: the workbench did not receive this call.');
});

it('An agent that works and says nothing is told of after 20 seconds, with its log and the stop [issue 33.2, issue 36.4]', async () => {
  const core = await openAgents([readyAgent({ ...AT_WORK, turnStartedAt: Date.now() })]);
  answer({ 'hosted.log': () => ({ text: 'Asked the model.' }) });
  const silence = panel.getByRole('group', { name: 'Silence' });
  expect(silence.query()).toBeNull();
  core.change({ turnStartedAt: Date.now() - 20_500 });
  await expect.element(silence).toMatchTextContent('Nothing from Claude Code for');
  expect(await faults()).toEqual([]);
  await silence.getByRole('button', { name: 'Log' }).click();
  await expect.element(region('Editor')).toMatchTextContent('Log of Claude Code here');
  await silence.getByRole('button', { name: 'Stop' }).click();
  await expect.element(ready).toBeVisible();
  await expect.element(silence).not.toBeInTheDocument();
  expect(core.inputs('hosted.stop')).toHaveLength(1);
});

it('Another folder is opened while an agent works only when the person lets it end [issue 14.2, issue 36.4]', async () => {
  const core = await openAgents([readyAgent(AT_WORK)]);
  answer({ 'project.choose': () => null });
  const opening = page.getByRole('alertdialog', { name: 'Open another folder?' });
  await press('Control+Shift+O');
  await expect.element(opening).toMatchTextContent('Claude Code here is working on this folder.');
  await press('Escape');
  await expect.element(opening).not.toBeInTheDocument();
  expect(core.inputs('project.choose')).toEqual([]);
  await press('Control+Shift+O');
  await opening.getByRole('button', { name: 'Open another folder' }).click();
  await expect.poll(() => core.inputs('project.choose')).toHaveLength(1);
});
