/** The shared REPL beside busy agents: their runs fold, a filter leaves some entries out, and new output out of sight is marked. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { layout } from '../../base/layout/layout-store.ts';
import { reportOf } from '../../image.fixture.ts';
import { expectCount, runCommand } from '../../steps.fixture.ts';
import { region } from '../../text.fixture.ts';
import { answer, type FakeCore, faults, openWholeWindow, press, type } from '../../window.fixture.tsx';

const repl = region('REPL');
const entries = repl.getByRole('article');
const input = page.getByRole('textbox', { name: 'REPL input' });
const mark = repl.getByRole('button', { name: 'New output below' });
const run = (name: string | RegExp) => repl.getByRole('button', { name });

let core: FakeCore;
let count = 0;

beforeEach(async () => {
  core = await openWholeWindow();
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, [':MINE']) });
});
afterEach(() => layout.setState({ replShows: 'everyone', replFolds: false }));

/** Makes an agent evaluate code with this value. */
function evaluated(name: string, value: string): void {
  count += 1;
  const actor = { id: `client:${name}`, kind: 'client' as const, name };
  const report = reportOf(`theirs-${count}`, [value]);
  core.tell('agent-evaluated', { actor, tool: 'evaluate-lisp', code: `(the-${value})`, at: Date.now(), report });
}

const log = (): Element => repl.getByRole('log', { name: 'Transcript' }).element();

/** Scrolls to the first entry, again if the list was still scrolling to its end. */
async function scrollUp(): Promise<void> {
  await expect
    .poll(() => {
      log().scrollTop = 0;
      return repl.getByText(':old-0', { exact: true }).query();
    })
    .not.toBeNull();
}

async function evaluateMine(): Promise<void> {
  await input.click();
  await type('(mine)');
  await press('Enter');
  await expect.element(repl).toMatchTextContent('=> :MINE');
}

it('A run of an agent folds to one row with its number of evaluations, opens again, and grows while it is folded [issue 39.3]', async () => {
  for (const value of [':a', ':b', ':c']) evaluated('codex', value);
  await evaluateMine();
  await expectCount(entries, 4);
  const head = run(/^codex: 3 evaluations/);
  await expect.element(head).toHaveAttribute('aria-expanded', 'true');
  await head.click();
  await expectCount(entries, 1);
  await expect.element(head).toHaveAttribute('aria-expanded', 'false');
  await expect.element(head).toHaveFocus();
  expect(await faults()).toEqual([]);
  await press('Enter');
  await expectCount(entries, 4);
});

it('All runs fold by a command, also new ones, and the choice is kept with the workspace [issue 39.3]', async () => {
  evaluated('codex', ':a');
  await evaluateMine();
  await runCommand('Fold or Unfold Agents’ Evaluations in the REPL');
  await expect.element(run('codex: 1 evaluation')).toHaveAttribute('aria-expanded', 'false');
  for (const value of [':b', ':c']) evaluated('claude', value);
  await expect.element(run('claude: 2 evaluations')).toBeVisible();
  await expectCount(entries, 1);
  await expect
    .poll(() => core.calls.findLast(({ name }) => name === 'workspace.keep')?.input)
    .toMatchObject({ layout: { replFolds: true } });
});

it('The REPL shows only the evaluations of the person or of the agents, says so, and shows all again [issue 39.3]', async () => {
  for (const value of [':a', ':b']) evaluated('codex', value);
  await evaluateMine();
  const choose = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'Evaluations to show' }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click();
  };
  await choose('Show Only My Evaluations');
  await expectCount(entries, 1);
  await expect.element(repl).toMatchTextContent('Only your evaluations are shown.');
  await choose('Show Only Agents’ Evaluations');
  await expectCount(entries, 2);
  await expect.element(repl).not.toMatchTextContent('=> :MINE');
  await repl.getByRole('button', { name: 'Show everyone’s' }).click();
  await expectCount(entries, 3);
  await expect.element(repl.getByRole('status', { name: 'Shown' })).not.toBeInTheDocument();
});

it('While the transcript is scrolled up, a button announces new output and scrolls to the input [issue 39.3]', async () => {
  for (let at = 0; at < 30; at += 1) evaluated('codex', `:old-${at}`);
  await expect.element(repl.getByText(':old-29', { exact: true })).toBeInViewport();
  evaluated('codex', ':at-end');
  await expect.element(repl.getByText(':at-end', { exact: true })).toBeInViewport();
  await expect.element(mark).not.toBeInTheDocument();
  await scrollUp();
  await expect.element(mark).not.toBeInTheDocument();
  evaluated('codex', ':new');
  await expect.element(mark).toBeVisible();
  expect(log().scrollTop).toBe(0);
  expect(await faults()).toEqual([]);
  await mark.click();
  await expect.element(repl.getByText(':new', { exact: true })).toBeInViewport();
  await expect.element(mark).not.toBeInTheDocument();
  await expect.element(input).toHaveFocus();
});

it('The mark disappears once the person scrolls to the end, and output of an entry above it counts as new [issue 39.3]', async () => {
  for (let at = 0; at < 30; at += 1) evaluated('codex', `:old-${at}`);
  await expect.element(repl.getByText(':old-29', { exact: true })).toBeInViewport();
  await scrollUp();
  core.tell('output', [{ evaluation: `theirs-${count}`, stream: 'stdout', text: 'late', left: 0 }]);
  await expect.element(mark).toBeVisible();
  log().scrollTop = log().scrollHeight;
  await expect.element(mark).not.toBeInTheDocument();
});
