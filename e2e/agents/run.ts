/**
 * `npm run agents [-- PROGRAM …] [--standing STANDING] [--json]`: runs the real agent programs in a real workbench, with a scripted model
 * on loopback. Missing programs are installed into a folder that is reused by later runs. `npm run agents -- tasks` compares the tools with
 * a shell instead (`tasks/run.ts`). Prints a table and each broken promise of an access level; the exit code is 1 if there is one.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createAgentHost } from '#core/agent-host.ts';
import { messageOf } from '#core/base/error.ts';
import { RECIPES } from '#core/hosted/recipes/recipes.ts';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { SHELLS, WRITERS } from './model-script.ts';
import { startModelServer } from './model-server.ts';
import { withScriptedModel } from './scripted-models.ts';
import { tryAgent, type TrialPlace, type TrialResult } from './trial.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    standing: { type: 'string' },
    transcripts: { type: 'boolean', default: false },
  },
});
if (positionals[0] === 'tasks') {
  const { runTasks } = await import('./tasks/run.ts');
  process.exit(await runTasks(positionals.slice(1), values.transcripts));
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const kept = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'lisp-workbench', 'agents');
const faults: string[] = [];
const results: TrialResult[] = [];

await run();
process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
for (const fault of faults) say(`✗ ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

async function run(): Promise<void> {
  await using scope = new AsyncDisposableStack();
  const cache = path.join(kept, 'cores');
  await mkdir(cache, { recursive: true });
  const model = await startModelServer(scope);
  const test = await openTestWorkbench({ shared: true, cache });
  scope.defer(() => test.close());
  await test.workbench.trustProject();
  test.workbench.approvals.setApprover('nobody who looks');
  const recipes = RECIPES.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  // An empty home, for the access level that lets a program use the person's home. It is not in a temporary folder, because Codex does not
  // create programs there.
  const person = path.join(kept, 'person');
  await rm(person, { recursive: true, force: true });
  await mkdir(path.join(person, '.qwen'), { recursive: true });
  await writeFile(
    path.join(person, '.qwen', 'settings.json'),
    JSON.stringify({ tools: { toolSearch: { enabled: false } } }),
  );
  const host = createAgentHost(test.workbench, {
    paths: { config: test.home, cache, state: path.dirname(kept), socket: path.join(test.home, 'socket') },
    // The person's own programs are not on the path, because the programs installed by the workbench are tested. Searching for tools is
    // off, because the scripted model only uses the tools in its list.
    environment: { ...process.env, PATH: npmAlone(), HOME: person, ENABLE_TOOL_SEARCH: 'false' },
    version: '0.0.0',
    address: () => Promise.resolve(`${test.url}/mcp`),
    buffers: () => [],
    recipes: recipes.map((recipe) => withScriptedModel(recipe, model.url)),
  });
  const { programs } = host;
  scope.defer(() => host.dispose());
  const place: TrialPlace = { test, host, model, client: await test.connect() };
  await programs.look();
  for (const { id, title, package: wanted } of recipes) {
    const newest = newestOf(wanted!.name) ?? wanted!.version;
    const isThere = (): boolean => programs.list.some((each) => each.id === id && each.version === newest);
    if (!isThere()) {
      say(`${title}: npm installs ${newest} …`);
      programs.install(id);
      await programs.installed(id);
    }
    const program = programs.list.find((each) => each.id === id)!;
    if (!isThere()) faults.push(`${title}: ${program.problem ?? 'is not there'}`);
    for (const standing of program.standings.filter(
      (each) => values.standing === undefined || each === values.standing,
    )) {
      say(`${title} ${newest}, ${standing} …`);
      await rm(path.join(kept, id, 'home'), { recursive: true, force: true });
      try {
        const result = await tryAgent(place, id, standing);
        results.push(result);
        faults.push(...faultsOf(result));
      } catch (error) {
        faults.push(`${title}, ${standing}: ${messageOf(error)}`);
      }
    }
  }
  if (model.unknown.length > 0)
    say(`Asked of the model's server, and not there: ${[...new Set(model.unknown)].join(', ')}`);
}

/** Returns the newest version of a package; null without a network. */
function newestOf(name: string): string | null {
  const { stdout, status } = spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function npmAlone(): string {
  return ['/usr/local/bin', '/usr/bin', '/bin', path.dirname(process.execPath)].join(path.delimiter);
}

/** Returns the promises of an access level that were broken. */
function faultsOf({ program, standing, ...result }: TrialResult): string[] {
  const dangerous = result.ownTools.filter((name) => Object.hasOwn(SHELLS, name) || Object.hasOwn(WRITERS, name));
  const { writesThroughHost = false } = RECIPES.find(({ id }) => id === program)!;
  const promises: [holds: boolean, said: string][] = [
    [result.evaluated === '144', `its evaluation left ${result.evaluated}`],
    [result.outlasted === ':TO-THE-END', `its call that took longer than it waits left ${result.outlasted}`],
    [
      standing === 'unconfined' || result.written.every((file) => writesThroughHost && file.startsWith('by-writer')),
      `its own tools wrote ${result.written.join(', ')}`,
    ],
    [result.linked, 'its call was not found in the activity'],
    [
      result.stopMs < 6_000 && result.answeredMs < 6_000,
      `Stop took ${result.stopMs} ms, and the image ${result.answeredMs} ms`,
    ],
    [result.prompts === 1, `it knew our tools after ${result.prompts} prompts`],
    [
      standing === 'workbench-only' || (result.reads.byReader && result.reads.byShell),
      `of the project its own tools read ${JSON.stringify(result.reads)}`,
    ],
    [result.told.place, 'its model was not told the project and the rules'],
    [
      standing === 'unconfined' || result.told.unasked.length === 0,
      `it sent ${result.told.unasked.join(', ')} by itself, which the person could not leave out`,
    ],
    [standing !== 'workbench-only' || result.cards === 0, 'it asked the person about tools of its own'],
    [standing !== 'workbench-only' || dangerous.length === 0, `its model is offered ${dangerous.join(', ')}`],
  ];
  return promises.filter(([holds]) => !holds).map(([, said]) => `${program}, ${standing}: ${said}`);
}

function table(rows: readonly TrialResult[]): string {
  const head = [
    'program',
    'standing',
    'ready ms',
    'prompts',
    'our tools',
    'own tools',
    'evaluated',
    'linked',
    'outlasted',
    'reads',
    'wrote',
    'cards',
    'stop ms',
    'image ms',
    'MB',
  ];
  const lines = rows.map((row) => [
    row.program,
    row.standing,
    row.readyMs,
    row.prompts,
    row.ourTools,
    row.ownTools.length,
    row.evaluated,
    row.linked ? 'yes' : 'no',
    row.outlasted === ':TO-THE-END' ? 'yes' : 'no',
    [row.reads.byReader ? 'reader' : '', row.reads.byShell ? 'shell' : ''].filter(Boolean).join(' '),
    row.written.length,
    row.cards,
    row.stopMs,
    row.answeredMs,
    row.memory,
  ]);
  const all = [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`);
  const notes = rows.flatMap(({ program, standing, ownTools, refusals, notices }) => [
    '',
    `${program}, ${standing}: own tools ${ownTools.join(' ') || 'none'}`,
    ...refusals.map((text) => `  result: ${text}`),
    ...notices.map((text) => `  notice: ${text}`),
  ]);
  return `${[...all, ...notes].join('\n')}\n`;
}
