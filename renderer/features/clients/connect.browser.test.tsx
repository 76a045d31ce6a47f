/**
 * The wizard that connects an AI client: its keys, the commands and files for each program, the test of the connection, and the client's
 * rights.
 */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { ClientRecord } from '#contract/clients/client.ts';
import type { ClientKind, Configuration, ConfigurationPlan, ConnectionStep } from '#contract/clients/connection.ts';
import { answer, faults, type FakeCore, insert, openWholeWindow, press, snapshotWith } from '../../window.fixture.tsx';
import { KINDS } from './connect-kinds.ts';

const TOKEN = `lwb_${'a'.repeat(43)}`;
const FILE = '/home/ada/shop/.mcp.json';
const dialog = page.getByRole('dialog', { name: 'Connect an AI client' });
const programs = dialog.getByRole('radiogroup', { name: 'Client program' });
const lines = dialog.getByRole('group', { name: /^Install the plugin: run th/ });
const writeInto = dialog.getByRole('button', { name: `Write into ${FILE}…` });

const CLIENT: ClientRecord = {
  id: 'client:new',
  name: 'new',
  createdAt: 1,
  lastSeenAt: null,
  connections: 0,
  hue: 1,
  mode: 'collaborate',
  ownImage: false,
  profile: 'standard',
  paused: null,
  protocol: null,
  calls: 0,
  failures: 0,
};

/** The commands that the core returns for programs with plugins. */
const PLUGINS: { readonly [Kind in ClientKind]?: readonly string[] } = {
  'claude-code': [
    'claude plugin marketplace add /home/ada/state/plugin',
    'claude plugin install lisp-workbench@lisp-workbench',
  ],
  codex: ['codex plugin marketplace add /home/ada/state/plugin', 'codex plugin add lisp-workbench@lisp-workbench'],
  'gemini-cli': ['gemini extensions install /home/ada/state/plugin'],
};

/** Returns the two configurations that most programs offer. */
function configurationsOf(kind: ClientKind): Configuration[] {
  const shared = { title: 'Put into', file: FILE, writable: true, note: null };
  const one: Configuration = { ...shared, way: 'stdio', text: `{ "command": "lisp-workbench", "kind": "${kind}" }` };
  const other: Configuration = { ...shared, way: 'http', text: `{ "type": "http", "kind": "${kind}" }` };
  return kind === 'claude-desktop' ? [one] : [one, other];
}

/** The core's plan for a file that already contains another server. */
const PLAN: ConfigurationPlan = {
  file: FILE,
  change: {
    path: FILE,
    absolutePath: FILE,
    bytesBefore: 59,
    bytesAfter: 120,
    hunks: [
      {
        lines: [
          { kind: 'same', text: '  "mcpServers": {', before: 2, after: 2 },
          { kind: 'removed', text: '    "theirs": { "command": "x" }', before: 3, after: null },
          { kind: 'added', text: '    "theirs": { "command": "x" },', before: null, after: 3 },
          { kind: 'added', text: '    "lisp-workbench": {', before: null, after: 4 },
          { kind: 'same', text: '  }', before: 4, after: 12 },
        ],
      },
    ],
    added: 2,
    removed: 1,
    withoutDiff: null,
  },
  digest: 'as planned',
  closes: false,
  same: false,
};

let core: FakeCore;

/** Opens the window with these existing clients. */
async function start(known: readonly ClientRecord[] = []): Promise<void> {
  let clients = [...known];
  core = await openWholeWindow(snapshotWith({ clients }), {
    'clients.plugin': ({ kind }) => (PLUGINS[kind] ? { lines: [...PLUGINS[kind]] } : null),
    'clients.mint': ({ name }) => {
      const client = { ...CLIENT, name };
      clients = [...clients, client];
      core.tell('clients-changed', clients);
      return { client, token: TOKEN };
    },
    'clients.change': ({ id, ...change }) => {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      clients = clients.map((each) => (each.id === id ? { ...each, ...given } : each));
      core.tell('clients-changed', clients);
      return {};
    },
    'clients.configurations': ({ kind }) => configurationsOf(kind),
    'clients.planConfiguration': () => PLAN,
    'app.copy': () => ({}),
  });
  await press('Control+Shift+P');
  await insert('Connect an AI client');
  await press('Enter');
  await expect.element(dialog).toBeVisible();
}

async function pick(program: string): Promise<void> {
  await programs.getByText(program, { exact: true }).click();
}

/** Makes the wizard create a token for this program. */
async function connect(program: string): Promise<void> {
  await pick(program);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.element(dialog.getByText(TOKEN, { exact: true })).toBeVisible();
}

function inputs(name: string): unknown[] {
  return core.calls.filter((each) => each.name === name).map(({ input }) => input);
}

beforeEach(() => start());

it('The wizard is worked by keyboard: a program, a name, its token [D14, issue 36.4]', async () => {
  const name = dialog.getByRole('textbox', { name: 'Client name' });
  await expect.element(name).toHaveFocus();
  await expect.element(lines).toBeVisible();
  await press('Shift+Tab');
  await expect.element(dialog.getByRole('button', { name: /^Copy Install the plugin/ })).toHaveFocus();
  await press('Shift+Tab', 2);
  await expect.element(dialog.getByRole('radio', { name: 'Claude Code' })).toHaveFocus();
  await press('ArrowDown', 2);
  await expect.element(dialog.getByRole('radio', { name: 'Cursor' })).toBeChecked();
  await expect.element(name).toHaveValue('cursor');
  await name.fill('a/b');
  await press('Enter');
  await expect.element(dialog).toMatchTextContent('Use 1 to 40 letters');
  expect(inputs('clients.mint')).toEqual([]);
  await name.fill('my cursor');
  await press('Enter');
  await expect.element(dialog).toMatchTextContent('shown as');
  expect(inputs('clients.mint')).toEqual([{ name: 'my cursor' }]);
  await expect.element(dialog.getByText(TOKEN, { exact: true })).toBeVisible();
  await expect.element(dialog).toMatchTextContent(FILE);
});

it('The lines that install the plugin come first, and are copied without a token [D14, issue 36.4]', async () => {
  for (const kind of ['codex', 'gemini-cli', 'claude-code'] as const) {
    await pick(KINDS.find((each) => each.kind === kind)!.title);
    await expect.element(lines).toHaveTextContent(PLUGINS[kind]!.join(' '));
  }
  const name = dialog.getByRole('textbox', { name: 'Client name' });
  expect(lines.element().getBoundingClientRect().top).toBeLessThan(name.element().getBoundingClientRect().top);
  await dialog.getByRole('button', { name: /^Copy Install the plugin/ }).click();
  await expect.poll(() => inputs('app.copy')).toEqual([{ text: PLUGINS['claude-code']!.join('\n') }]);
  expect(await faults()).toEqual([]);
  await pick('Cursor');
  await expect.element(lines).not.toBeInTheDocument();
});

it('A plugin that cannot be written is one sentence, and the configuration file is still offered [D14, issue 36.4]', async () => {
  answer({
    'clients.plugin': () =>
      Promise.reject(new Error('The plugin cannot be written to /home/ada/state/plugin: a file is in its place.')),
  });
  await pick('Codex');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('The plugin cannot be written to');
  await expect.element(dialog.getByRole('button', { name: 'Continue' })).toBeEnabled();
});

it('Each program has its configuration, and HTTP where it can [D14, issue 36.4]', async () => {
  await connect('Claude Code');
  await expect.element(dialog).toMatchTextContent('"command": "lisp-workbench", "kind": "claude-code"');
  await dialog.getByText('HTTP', { exact: true }).click();
  await expect.element(dialog).toMatchTextContent('"type": "http", "kind": "claude-code"');
  for (const { kind, title } of KINDS.filter((each) => each.kind !== 'claude-code')) {
    await pick(title);
    await expect.element(dialog).toMatchTextContent(`"kind": "${kind}"`);
    expect(inputs('clients.configurations').at(-1)).toEqual({ kind, token: TOKEN });
  }
  await pick('Claude Desktop');
  await expect.element(dialog.getByText('HTTP', { exact: true })).not.toBeInTheDocument();
});

it('A configuration is written once its change was looked at [D14, issue 36.4]', async () => {
  answer({
    'clients.writeConfiguration': () => ({ file: FILE, backup: `${FILE}.backup` }),
  });
  await connect('Claude Code');
  const copy = dialog.getByRole('button', { name: 'Copy Put into' });
  await copy.click();
  await expect.element(dialog.getByRole('button', { name: 'Copied Put into' })).toHaveTextContent('Copied');
  await writeInto.click();
  await expect
    .element(dialog.getByRole('group', { name: `Change of ${FILE}` }))
    .toMatchTextContent('+ "lisp-workbench": {');
  await expect.element(dialog.getByRole('button', { name: 'Write', exact: true })).toBeVisible();
  expect(await faults()).toEqual([]);
  expect(inputs('clients.writeConfiguration')).toEqual([]);
  await dialog.getByRole('button', { name: 'Write', exact: true }).click();
  await expect.element(dialog).toMatchTextContent(`Written. The previous file is saved as ${FILE}.backup.`);
  const chosen = { kind: 'claude-code', way: 'stdio', token: TOKEN };
  expect(inputs('clients.writeConfiguration')).toEqual([{ ...chosen, digest: PLAN.digest }]);
  answer({ 'clients.planConfiguration': () => ({ ...PLAN, same: true }) });
  await writeInto.click();
  await expect.element(dialog).toMatchTextContent('already contains this configuration');
});

it('A configuration file that cannot be read is left alone [D14, issue 36.4]', async () => {
  const why = `${FILE} cannot be read as JSON: it was not changed.`;
  answer({ 'clients.planConfiguration': () => Promise.reject(new Error(why)) });
  await connect('Claude Code');
  await writeInto.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(why);
  await expect.element(dialog.getByRole('button', { name: 'Write', exact: true })).not.toBeInTheDocument();
});

it('The test of the connection shows its steps in both ways, and one thing to try where it fails [D14, issue 36.4]', async () => {
  const done = (title: string, detail: string | null): ConnectionStep => ({
    title,
    state: 'done',
    detail,
    remedy: null,
  });
  const steps = [
    done('Start the command and connect', null),
    done('List the tools', '34 tools'),
    done('Evaluate (+ 1 2 3)', '=> 6'),
  ];
  answer({
    'clients.test': () =>
      new Promise((resolve) => {
        end = () => resolve({ steps, tookMs: 20 });
      }),
  });
  let end = (): void => {};
  await connect('Claude Code');
  const list = dialog.getByRole('list', { name: 'Test of the connection' });
  for (const [way, told] of [
    ['Command', 'stdio'],
    ['HTTP', 'http'],
  ] as const) {
    await dialog.getByText(way, { exact: true }).click();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    const { test } = inputs('clients.test').at(-1) as { test: string };
    const running = [steps[0]!, { ...steps[1]!, state: 'running' as const, detail: null }];
    core.tell('connection-tested', { test, steps: running });
    await expect.element(list.getByRole('img', { name: 'runs' })).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Testing…' })).toBeDisabled();
    end();
    await expect.poll(() => list.getByRole('img', { name: 'worked' }).elements().length).toBe(3);
    await expect.element(list).toMatchTextContent('=> 6');
    expect(inputs('clients.test').at(-1)).toMatchObject({ way: told, token: TOKEN });
  }
  const remedy = 'Start the window again.';
  answer({
    'clients.test': () => ({
      steps: [{ ...steps[0]!, state: 'failed', detail: 'Nobody answers.', remedy }],
      tookMs: 3,
    }),
  });
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect.element(list.getByRole('img', { name: 'failed' })).toBeVisible();
  await expect.element(list).toMatchTextContent(`Try this: ${remedy}`);
  answer({
    'clients.test': () => Promise.reject(new Error('This token is no longer valid. Connect the client again.')),
  });
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect.element(dialog.getByRole('alert').first()).toMatchTextContent('no longer valid');
  core.tell('clients-changed', []);
  await expect.element(dialog).toMatchTextContent('This client has been revoked.');
});

it('The mode, the image and the tools are chosen in the wizard [D14, decision 22, issue 36.4]', async () => {
  await connect('Goose');
  await dialog.getByText('Observe', { exact: true }).click();
  await expect.element(dialog.getByRole('radio', { name: /^Observe/ })).toBeChecked();
  await dialog.getByText('Its own image', { exact: true }).click();
  await dialog.getByText('All', { exact: true }).click();
  await expect.element(dialog.getByRole('radio', { name: 'All', exact: true })).toBeChecked();
  expect(inputs('clients.change')).toEqual([
    { id: CLIENT.id, mode: 'observe' },
    { id: CLIENT.id, ownImage: true },
    { id: CLIENT.id, profile: 'all' },
  ]);
});

it('The wizard warns of a known name [D14, issue 36.4]', async () => {
  core.tell('clients-changed', [{ ...CLIENT, name: 'codex' }]);
  await pick('Codex');
  await expect.element(dialog.getByRole('status')).toMatchTextContent('codex already exists');
});
