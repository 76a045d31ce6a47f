/** The programs on the page that starts an agent: how they are listed, installed, started, updated and removed. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AgentProgram } from '#contract/clients/hosted-agent.ts';
import { answer, faults } from '../../../window.fixture.tsx';
import { choose, clickStart, missingProgram, openAgents, panel, PROGRAM, question } from './agent.fixture.ts';

/** The programs that come with a release. There are more than the list shows without a filter. */
const RELEASE = ['Kimi Code', ...Array.from({ length: 10 }, (_, at) => `Agent ${at}`)].map((title) =>
  missingProgram({
    id: title,
    title,
    install: `npm install ${title.toLowerCase().replace(' ', '-')}`,
    newest: '1.0.0',
  }),
);

const LISTED = missingProgram({
  id: 'registry-listed',
  title: 'Listed Agent',
  description: 'An agent that no release knows.',
  recipe: false,
  tried: null,
  newest: '1.0.0',
  install: 'npm install --ignore-scripts listed-agent@1.0.0',
  standings: ['project-read-only', 'unconfined'],
});
const INSTALLED: AgentProgram = {
  ...LISTED,
  state: 'ready',
  version: '1.0.0',
  own: true,
  place: '/home/ada/state/listed',
};
const ELSEWHERE = missingProgram({
  id: 'registry-elsewhere',
  title: 'Agent from Elsewhere',
  page: 'https://example.invalid/elsewhere',
  problem: 'The list has no Agent from Elsewhere for this system (linux-x86_64).',
});

it('An agent of the refreshed list is installed, started, updated and removed, and a damaged list changes nothing [issue 33.2, issue 36.4]', async () => {
  const core = await openAgents([], { programs: RELEASE, started: { title: 'Listed Agent' } });
  let programs = [...RELEASE];
  const tell = (...more: AgentProgram[]): void => {
    programs = [...RELEASE, ...more];
    core.tell('hosted-programs-changed', programs);
  };
  const list = { at: null, problem: 'The list was not refreshed: The list is not valid JSON.', leftOut: 0 };
  answer({ 'hosted.look': () => ({ programs, list }), 'hosted.refreshList': () => ({ list }) });
  const refresh = panel.getByRole('button', { name: 'Refresh the List' });
  await expect.element(panel).toMatchTextContent('The list that came with this release.');
  await refresh.click();
  await expect.element(panel.getByRole('alert')).toHaveTextContent(list.problem);
  await expect.element(panel.getByRole('heading', { name: 'Kimi Code' })).toBeVisible();

  const fresh = { at: Date.UTC(2026, 8, 3), problem: null, leftOut: 1 };
  answer({
    'hosted.look': () => ({ programs, list: fresh }),
    'hosted.refreshList': () => {
      tell(LISTED, ELSEWHERE);
      return { list: fresh };
    },
  });
  await refresh.click();
  await expect.element(panel).toMatchTextContent(/The ACP registry’s list of \d+ \w+ \d{4}\. 1 entry was ignored/);
  await expect.element(panel.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(panel).toMatchTextContent('The list has no Agent from Elsewhere for this system');
  await expect.element(panel.getByRole('button', { name: 'Open the page of Agent from Elsewhere' })).toBeVisible();
  expect(await faults()).toEqual([]);
  const filter = panel.getByRole('searchbox', { name: 'Filter agent programs' });
  await filter.fill('nothing like this');
  await expect.element(panel).toMatchTextContent('No agent program matches.');
  await filter.fill('listed');
  await expect.poll(() => panel.getByRole('listitem').elements().length).toBe(1);

  answer({ 'hosted.install': () => ({}) });
  const install = panel.getByRole('button', { name: 'Install Listed Agent', exact: true });
  await install.click();
  expect(core.inputs('hosted.install')).toEqual([{ program: LISTED.id }]);
  tell({ ...LISTED, state: 'installing' }, ELSEWHERE);
  await expect.element(panel.getByRole('button', { name: 'Cancel installing Listed Agent' })).toBeVisible();
  tell(INSTALLED, ELSEWHERE);
  const start = panel.getByRole('button', { name: 'Start Listed Agent' });
  await expect.element(start).toBeVisible();
  await expect.element(panel.getByText('Only through the workbench', { exact: true })).not.toBeInTheDocument();
  await clickStart('Own tools, project read-only', 'Listed Agent');
  await expect
    .poll(() => core.inputs('hosted.start'))
    .toEqual([{ program: LISTED.id, standing: 'project-read-only', conversation: null }]);

  // The core refuses to remove the program of a running agent, because the agent's files must not change.
  answer({
    'hosted.remove': () => Promise.reject(new Error('Listed Agent is running. End it first, then remove it.')),
  });
  await choose('Start Another…');
  const remove = panel.getByRole('button', { name: 'Remove Listed Agent…' });
  await remove.click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(page.getByText(/Listed Agent is running\. End it first/)).toBeVisible();

  // A failed update leaves the program as it was.
  tell({ ...INSTALLED, update: '9.9.9' }, ELSEWHERE);
  const update = panel.getByRole('button', { name: /^Update Listed Agent to/ });
  await expect.element(update).toHaveTextContent('Update to 9.9.9');
  await update.click();
  expect(core.inputs('hosted.install')).toHaveLength(2);
  const problem = 'Listed Agent was not installed: a file arrived damaged. Try again later.';
  tell({ ...INSTALLED, update: '9.9.9', problem }, ELSEWHERE);
  await expect.element(panel).toMatchTextContent(problem);
  await expect.element(start).toBeVisible();
  tell({ ...INSTALLED, version: '1.1.0', newest: '1.1.0' }, ELSEWHERE);
  await expect.element(update).not.toBeInTheDocument();
  await expect.element(panel.getByText('1.1.0', { exact: true })).toBeVisible();

  answer({
    'hosted.remove': () => {
      tell(LISTED, ELSEWHERE);
      return {};
    },
  });
  await remove.click();
  await question.getByRole('button', { name: 'Remove with Its State' }).click();
  await expect.element(install).toBeVisible();
  expect(core.inputs('hosted.remove')).toEqual([
    { program: LISTED.id, state: false },
    { program: LISTED.id, state: true },
  ]);
});

it('An agent that comes as an archive is shown with its download, and one that arrives as another can be tried again [issue 33.2, issue 36.4]', async () => {
  const archived = missingProgram({
    id: 'registry-archived',
    title: 'Archived Agent',
    install: 'Download https://example.org/archived-agent@2.0.0.tgz and check its SHA-256',
  });
  const core = await openAgents([], { programs: [PROGRAM, archived] });
  answer({ 'hosted.install': () => ({}) });
  const install = panel.getByRole('button', { name: 'Install Archived Agent' });
  await expect.element(panel).toMatchTextContent(archived.install!);
  await install.click();
  expect(core.inputs('hosted.install')).toEqual([{ program: archived.id }]);
  const problem =
    'Archived Agent was not installed. The downloaded file is not the one in the list: its SHA-256 differs. Refresh the list and install it again.';
  core.tell('hosted-programs-changed', [PROGRAM, { ...archived, problem }]);
  await expect.element(panel).toMatchTextContent(problem);
  await expect.element(install).toBeEnabled();
});
