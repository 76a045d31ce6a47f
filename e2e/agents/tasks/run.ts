/**
 * `npm run agents -- tasks [TEXT …]`: performs nine typical tasks of an agent the way a sensible model would, with the workbench's tools
 * over the command `mcp` and with a real SBCL. Compares them with the same tasks in a shell, and with cl-mcp if it is installed. TEXT
 * selects tasks by name; `--transcripts` writes all messages to `out/agent-tasks`. The exit code is 1 if an outcome is wrong or a goal is
 * not met.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '#core/base/error.ts';
import { imageTasks } from './image-tasks.ts';
import { libraryTasks } from './library-tasks.ts';
import { shopTasks } from './shop-tasks.ts';
import { ShellSide, shell, ToolSide, type Cost } from './sides.ts';
import type { Task } from './task.ts';

const { learn, offByOne, hygiene } = libraryTasks;
const { feature, error, speed, renaming, nothing } = shopTasks;
const { accidents, session } = imageTasks;
const TASKS: readonly Task[] = [learn, offByOne, hygiene, feature, error, speed, renaming, nothing, accidents, session];

/**
 * The maximum number of approvals for the tasks that may need more than one. A renaming and a new slot are two changes, so that task may
 * need two approvals.
 */
const APPROVALS: Readonly<Record<string, number>> = { [renaming.name]: 2 };

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

const SOURCES = '/usr/share/common-lisp/source';

/** The source folders of packages whose folder has a different name. */
const SOURCE_OF: Readonly<Record<string, string>> = {
  'cl-ironclad': 'ironclad',
  'cl-alexandria': 'alexandria',
  'cl-fiveam': 'fiveam',
};

/** Systems that a person who works on the project would have compiled already. */
const USUAL = ['fiveam', 'flexi-streams', 'sb-rt'];

interface Row {
  readonly task: Task;
  readonly ours: Cost | string;
  readonly shell: Cost | string;
  readonly clMcp: Cost | string;
}

/** Performs the tasks and prints the table; resolves with the exit code. */
export async function runTasks(words: readonly string[], transcripts: boolean): Promise<number> {
  const chosen = TASKS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const place = await mkdtemp(path.join(tmpdir(), 'agent-tasks-'));
  const rows: Row[] = [];
  try {
    for (const task of chosen) {
      process.stderr.write(`${task.name}: ${task.title}\n`);
      rows.push(await tried(task, place, transcripts));
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  process.stdout.write(`${table(rows)}\n`);
  return rows.every((row) => typeof row.ours === 'object' && goalOf(row).every(({ met }) => met)) ? 0 : 1;
}

async function tried(task: Task, place: string, transcripts: boolean): Promise<Row> {
  const missing = task.needs.filter((name) => !existsSync(path.join(SOURCES, SOURCE_OF[name] ?? name)));
  if (missing.length > 0) {
    const text = `not tried: apt-get install ${missing.join(' ')}`;
    return { task, ours: text, shell: text, clMcp: text };
  }
  const of = async (side: string): Promise<{ folder: string; env: Record<string, string> }> => {
    const folder = path.join(place, `${task.name.split(' ')[0]}-${side}`);
    await mkdir(folder, { recursive: true });
    await task.prepare(folder);
    // Each side has its own cache of compiled files; otherwise it would use files that the other side has compiled.
    const env = {
      ...(process.env as Record<string, string>),
      LISP_WORKBENCH_HOME: path.join(place, 'home'),
      XDG_CACHE_HOME: path.join(place, `cache-${side}`),
      LISP_WORKBENCH_TOKEN: '',
    };
    return { folder, env };
  };
  const keep = async (side: string, text: readonly string[]): Promise<void> => {
    if (!transcripts) return;
    const folder = path.join(ROOT, 'out', 'agent-tasks');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${task.name.replaceAll(' ', '-')}.${side}.txt`), text.join('\n\n'));
  };
  const tools = await of('ours');
  const agent = await ToolSide.start(
    [process.execPath, path.join(ROOT, 'resources', 'setup', 'cli.mjs'), 'mcp', '--headless', '--approve', 'client'],
    tools.folder,
    { ...tools.env, LISP_WORKBENCH_PROJECT: tools.folder },
  );
  const check = ({ folder, env }: typeof tools) => ({
    folder,
    run: (command: string) => shell(command, folder, { ...env, XDG_CACHE_HOME: path.join(place, 'cache-check') }),
  });
  const ours = await task.tools(agent, check(tools)).then(
    () => agent.cost,
    (fault: unknown) => `failed: ${messageOf(fault)}`,
  );
  await agent.close();
  await keep('ours', agent.transcript);
  const clMcp = await withClMcp(task, of);
  if (!task.shell) return { task, ours, shell: 'not possible: it needs the image', clMcp };
  const beside = await of('shell');
  const loads = USUAL.map((name) => `--eval '(ignore-errors (asdf:load-system :${name}))'`).join(' ');
  shell(`sbcl --noinform --non-interactive --eval '(require :asdf)' ${loads}`, beside.folder, beside.env);
  const other = new ShellSide(beside.folder, beside.env);
  let spent: Cost | string = other.cost;
  try {
    task.shell(other, check(beside));
  } catch (fault) {
    spent = `failed: ${messageOf(fault)}`;
  }
  await keep('shell', other.transcript);
  return { task, ours, shell: spent, clMcp };
}

const CL_MCP = ['sbcl', '--noinform', '--non-interactive', '--eval', '(require :asdf)'] as const;

/** True if SBCL finds cl-mcp. SBCL loads the person's init file, which may load Quicklisp. */
const isClMcpInstalled = spawnSync(
  CL_MCP[0],
  [...CL_MCP.slice(1), '--eval', '(princ (and (asdf:find-system "cl-mcp" nil) :found))'],
  {
    encoding: 'utf8',
  },
).stdout.includes('FOUND');

async function withClMcp(
  task: Task,
  place: (side: string) => Promise<{ folder: string; env: Record<string, string> }>,
): Promise<Cost | string> {
  if (!isClMcpInstalled) return 'not installed';
  if (!task.clMcp) return 'no sequence';
  const { folder, env } = await place('cl-mcp');
  const run = ['--eval', '(asdf:load-system "cl-mcp")', '--eval', '(cl-mcp:run :transport :stdio)'];
  const agent = await ToolSide.start([...CL_MCP, ...run], folder, env);
  try {
    await task.clMcp(agent, folder);
    return agent.cost;
  } catch (fault) {
    return `failed: ${messageOf(fault)}`;
  } finally {
    await agent.close();
  }
}

/** Returns the parts of the goal, each with a flag that says whether it is met. */
function goalOf({ task, ours, shell: beside }: Row): { readonly text: string; readonly met: boolean }[] {
  if (typeof ours === 'string') return [];
  const most = APPROVALS[task.name] ?? 1;
  const approvals = { text: `${ours.approvals} approvals`, met: ours.approvals <= most };
  if (!task.goal || typeof beside === 'string') return [approvals];
  return [
    { text: 'calls', met: ours.calls <= beside.calls },
    { text: 'characters', met: ours.received + ours.sent <= beside.received + beside.sent },
    approvals,
  ];
}

function table(rows: readonly Row[]): string {
  const costText = (cost: Cost | string): string =>
    typeof cost === 'string'
      ? cost
          .replaceAll('|', '/')
          .replaceAll(/\s*\n\s*/g, ' ')
          .slice(0, 300)
      : [cost.calls, cost.received, cost.sent, cost.approvals].map((each) => each.toLocaleString('en')).join(' / ');
  const lines = rows.map((row) => {
    const parts = goalOf(row);
    const unmet = parts.filter(({ met }) => !met).map(({ text }) => text);
    const goal = typeof row.ours === 'string' ? '' : unmet.length === 0 ? 'met' : `not met: ${unmet.join(', ')}`;
    return `| ${row.task.name} | ${costText(row.ours)} | ${costText(row.shell)} | ${costText(row.clMcp)} | ${goal} |`;
  });
  return [
    'Calls / characters received / characters sent / approvals.',
    '',
    '| task | ours | shell | cl-mcp | goal |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
