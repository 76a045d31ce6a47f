/** The clients panel: pairing requests, the rights of each client, the rules that decide for the person, and stopping all clients. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { ClientRecord } from '#contract/clients/client.ts';
import type { Snapshot } from '#contract/rpc.ts';
import { region } from '../../text.fixture.ts';
import { answer, type FakeCore, openWholeWindow, press, snapshotWith } from '../../window.fixture.tsx';

const CODEX: ClientRecord = {
  id: 'client:codex',
  name: 'codex',
  createdAt: 1,
  lastSeenAt: 2,
  connections: 1,
  hue: 1,
  mode: 'collaborate',
  ownImage: false,
  profile: 'standard',
  paused: null,
  protocol: 'MCP over HTTP',
  calls: 2,
  failures: 1,
};
/** The reason that a paused client gets. */
const PAUSED = 'The person has paused this client. Wait until they resume it.';
const panel = region('Clients');
const codex = panel.getByRole('listitem', { name: 'codex', exact: true });
const question = page.getByRole('alertdialog');

let core: FakeCore;

/** Opens the window and the panel with the client codex. The panel's changes to the client take effect as in the core. */
async function open(parts: Partial<Snapshot> = {}): Promise<void> {
  let clients = [CODEX];
  const tell = (): void => core.tell('clients-changed', clients);
  core = await openWholeWindow(snapshotWith({ clients, ...parts }), {
    'clients.change': ({ id, paused, ...change }) => {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const pause = paused === undefined ? {} : { paused: paused ? PAUSED : null };
      clients = clients.map((each) => (each.id === id ? { ...each, ...given, ...pause } : each));
      tell();
      return {};
    },
    'clients.mint': () => ({ client: CODEX, token: 'lwb_anew' }),
    'clients.revoke': ({ id }) => {
      clients = clients.filter((each) => each.id !== id);
      tell();
      return {};
    },
    'agents.stop': () => ({ paused: [CODEX.id] }),
    'rules.revoke': () => {
      core.tell('granted-changed', []);
      return {};
    },
  });
  await press('Control+Shift+J');
  await expect.element(panel).toBeVisible();
}

function inputs(name: string): unknown[] {
  return core.calls.filter((each) => each.name === name).map(({ input }) => input);
}

it('A client is paused, says why, and goes on; its calls are counted and its mode is chosen [D14, issue 36.4]', async () => {
  const figures = { failures: 0, totalMs: 4, totalBytes: 10 };
  await open({
    metrics: [
      { tool: 'describe-symbol', calls: 1, ...figures },
      { tool: 'evaluate-lisp', calls: 2, ...figures, failures: 1 },
    ],
  });
  await expect.element(codex).toMatchTextContent('connected · 2 calls, 1 failed · MCP over HTTP · your image');
  const tools = panel.getByRole('table');
  await expect.element(tools.getByRole('row', { name: /evaluate-lisp 2 1/ })).toBeVisible();
  await tools.getByRole('button', { name: 'Tool' }).click();
  await expect
    .element(tools.getByText('Tool', { exact: true }).element().closest('th'))
    .toHaveAttribute('aria-sort', 'ascending');

  await codex.getByRole('button', { name: 'Pause codex' }).click();
  await expect.element(codex).toMatchTextContent('Paused by you.');
  await codex.getByRole('button', { name: 'Resume: codex' }).click();
  await expect.element(codex).not.toMatchTextContent('Paused by you.');
  await codex.getByRole('button', { name: 'Mode of codex: Collaborate' }).click();
  await expect.element(page.getByRole('menuitem', { name: /^Propose/ })).toMatchTextContent('need your approval');
  await page.getByRole('menuitem', { name: /^Observe/ }).click();
  await expect.element(codex.getByRole('button', { name: 'Mode of codex: Observe' })).toBeVisible();
  expect(inputs('clients.change')).toEqual([
    { id: CODEX.id, paused: true },
    { id: CODEX.id, paused: false },
    { id: CODEX.id, mode: 'observe' },
  ]);
});

it('The stop of all agents is told with the way to let them go on, from the key of the program and from the menu [D14, K6, issue 36.4]', async () => {
  await open();
  const told = page.getByRole('status').filter({ hasText: 'All agents are paused.' });
  core.tell('agents-stopped', { paused: [CODEX.id, 'client:other'] });
  await expect.element(told).toBeVisible();
  await told.getByRole('button', { name: 'Resume' }).click();
  await expect
    .poll(() => inputs('clients.change'))
    .toEqual([
      { id: CODEX.id, paused: false },
      { id: 'client:other', paused: false },
    ]);
  await expect.element(told).not.toBeInTheDocument();
  await page.getByRole('button', { name: /^AI clients/ }).click();
  await page.getByRole('menuitem', { name: /^Stop All Agents/ }).click();
  await expect.element(told).toBeVisible();
  expect(inputs('agents.stop')).toHaveLength(1);
});

it('A grant given on a card is listed as the rule that it is, and revoked [G3, issue 36.4]', async () => {
  await open({
    granted: [
      {
        id: 'rule-1',
        client: CODEX.id,
        words: 'effect write for /home/ada/shop/out.txt',
        grantedAt: Date.now(),
        usedAt: Date.now(),
        endsAt: Date.now() + 600_000,
        evaluation: null,
      },
    ],
  });
  const rules = page.getByRole('region', { name: 'Automatic approvals' });
  await expect.element(rules.getByRole('listitem')).toMatchTextContent(/Allows effect write for .*out\.txt/);
  await expect.element(rules.getByRole('listitem')).toMatchTextContent('codex · ends in 10 min unless it is used');
  await rules.getByRole('button', { name: /^Revoke effect write/ }).click();
  await expect.element(rules).not.toBeInTheDocument();
  expect(inputs('rules.revoke')).toEqual([{ id: 'rule-1' }]);
});

it('A client gets a new token, an image of its own, and is revoked [D14, issue 36.4]', async () => {
  await open();
  const choose = async (entry: string): Promise<void> => {
    await codex.getByRole('button', { name: 'More about codex' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Use a Separate Image');
  await expect.element(codex).toMatchTextContent('own image');
  await choose('New Token…');
  await question.getByRole('button', { name: 'Create token' }).click();
  await expect.element(page.getByRole('group', { name: 'Token' })).toHaveTextContent('lwb_anew');
  expect(inputs('clients.mint')).toEqual([{ name: 'codex' }]);
  await question.getByRole('button', { name: 'Close' }).click();
  await choose('Revoke…');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect.element(panel).toMatchTextContent('No clients yet.');
  expect(inputs('clients.revoke')).toEqual([{ id: CODEX.id }]);
});

it('A client without a token is let in under the name that the person gives it, into an image of its own, or refused [D14, decision 22, issue 36.4]', async () => {
  await open();
  const process = { pid: 4000, command: 'lisp-workbench cli mcp', startedBy: 'claude' };
  const waiting = (id: string, label: string) => ({ id, label, name: label, process, requestedAt: 1, deadline: 2 });
  let admissions = ['newcomer', 'apart', 'stranger'].map((label, at) => waiting(`a${at}`, label));
  const answered = (id: string): Record<string, never> => {
    admissions = admissions.filter((each) => each.id !== id);
    core.tell('admissions-changed', admissions);
    return {};
  };
  answer({ 'clients.admit': ({ id }) => answered(id), 'clients.refuse': ({ id }) => answered(id) });
  core.tell('admissions-changed', admissions);
  const row = (label: string) => panel.getByRole('listitem', { name: `${label} wants to join` });
  await press('Control+Shift+H');
  await page.getByRole('button', { name: 'Decide' }).first().click();
  await expect.element(row('newcomer')).toMatchTextContent('cli');
  await expect.element(row('newcomer').getByRole('textbox', { name: 'Admit as' })).toHaveValue('newcomer');
  await row('newcomer').getByRole('textbox', { name: 'Admit as' }).fill('guest');
  await row('newcomer').getByRole('button', { name: 'Admit' }).click();
  await row('apart').getByRole('button', { name: 'Own image' }).click();
  await row('stranger').getByRole('button', { name: 'Refuse' }).click();
  await expect.element(panel).not.toMatchTextContent('wants to join');
  expect(inputs('clients.admit')).toEqual([
    { id: 'a0', name: 'guest', ownImage: false },
    { id: 'a1', name: 'apart', ownImage: true },
  ]);
  expect(inputs('clients.refuse')).toEqual([{ id: 'a2' }]);
});

it('Requests that are turned away are counted beside the address [K1, case 1, issue 36.4]', async () => {
  const [http, ...others] = snapshotWith().servers;
  const why = 'This server does not accept requests for the host "evil.example".';
  await open({ servers: [{ ...http!, refused: { count: 1, why, at: Date.now() } }, ...others] });
  const foot = panel.getByText(/A request was refused, the last just now/);
  await expect.element(foot).toMatchTextContent('This server does not accept requests for the host "evil.example"');
  await expect.element(panel).toMatchTextContent(http!.address!);
});

it("A folder in which agents' code may write is added in Settings, and taken out again [G4, issue 36.4]", async () => {
  await open();
  answer({
    'settings.change': (change) => {
      core.choose(change as never);
      return { ...snapshotWith().settings, ...change };
    },
  });
  await press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const field = settings.getByRole('textbox', { name: 'Folder that agents’ code may write in' });
  await field.fill('../outside');
  await press('Enter');
  await expect.element(settings).toMatchTextContent('The folder must be inside the project.');
  await field.fill('exports');
  await press('Enter');
  const folder = settings.getByRole('group', { name: 'Folders that agents’ code may write in' }).getByRole('listitem');
  await expect.element(folder).toHaveTextContent('exports');
  await settings.getByRole('button', { name: 'Remove exports' }).click();
  await expect.element(folder).not.toBeInTheDocument();
  expect(inputs('settings.change')).toEqual([{ writableFolders: ['exports'] }, { writableFolders: [] }]);
});
