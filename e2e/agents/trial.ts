/** Tests an agent program at an access level in a real workbench: its abilities and its limits at that level. */
import { watch } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentItem, AgentStanding, HostedAgent } from '#contract/clients/hosted-agent.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import type { HostedAgents } from '#core/hosted/hosted-agents.ts';
import { RECIPES } from '#core/hosted/recipes/recipes.ts';
import { isOurs } from '#core/hosted/standings/checked-tools.ts';
import type { TestClient, TestWorkbench } from '#core/workbench.fixture.ts';
import { isTool, type Step, stepLine } from './model-script.ts';
import type { ModelServer } from './model-server.ts';
import { OWN_TOOLS } from './scripted-models.ts';

/** The workbench of a trial. */
export interface TrialPlace {
  readonly test: TestWorkbench;
  readonly host: HostedAgents;
  /** A client that belongs to the person and uses the same image. */
  readonly client: TestClient;
  readonly model: ModelServer;
}

export interface TrialResult {
  readonly program: string;
  readonly standing: AgentStanding;
  /** Milliseconds from the start until the agent accepts a prompt. */
  readonly readyMs: number;
  /** The number of prompts sent before the model was offered the workbench's tools. */
  readonly prompts: number;
  readonly ourTools: number;
  readonly ownTools: readonly string[];
  /** The value that the agent's evaluation left in the image. */
  readonly evaluated: string;
  /** True if the conversation linked the agent's call to the call in the activity. */
  readonly linked: boolean;
  /** The value set by a call that was answered with a handle because it was still running. */
  readonly outlasted: string;
  /** The files that the agent's own tools could create in the project; there should not be any. */
  readonly written: readonly string[];
  /** Whether the agent's own reader (`byReader`), and its own shell in the start folder (`byShell`), could read a file of the project. */
  readonly reads: { readonly byReader: boolean; readonly byShell: boolean };
  /**
   * `place` is true if the model was told which project it works in and the workbench's rules. `unasked` lists the instruction files that
   * the program sent without being asked.
   */
  readonly told: { readonly place: boolean; readonly unasked: readonly string[] };
  /** The results of the agent's own tools, as the model received them. */
  readonly refusals: readonly string[];
  /** The number of cards about the agent's own tools that were approved. */
  readonly cards: number;
  /** Milliseconds from Stop until the turn ended. `answeredMs` is the time from Stop until the image answered. */
  readonly stopMs: number;
  readonly answeredMs: number;
  /** The proportional set size of all the agent's processes, in megabytes. */
  readonly memory: number;
  readonly notices: readonly string[];
  /** The conversation. `log` is the latest text of standard error. */
  readonly items: readonly AgentItem[];
  readonly log: string;
}

/**
 * The maximum number of prompts to send until the workbench's tools are offered. Several may be needed, because some agents look for tools
 * only after a session is open.
 */
const MOST_PROMPTS = 30;
/** Milliseconds after which a step is considered to hang. */
const GUARD_MS = 60_000;

export async function tryAgent(place: TrialPlace, program: string, standing: AgentStanding): Promise<TrialResult> {
  const { test, host, client, model } = place;
  const own = OWN_TOOLS[program]!;
  const argument = own.argument === undefined ? {} : { argument: own.argument };
  const { modelLogin } = RECIPES.find(({ id }) => id === program)!;
  const instruction = `Instruction of ${program} ${standing}`;
  for (const name of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'])
    await writeFile(path.join(test.project, name), `${instruction}, ${name}\n`);
  const begun = performance.now();
  const id = await host.start(program, standing, null);
  let agent = await until(place, id, ({ state }) => state !== 'starting');
  if (agent.state === 'login' && modelLogin !== undefined) {
    await host.login(id, modelLogin);
    agent = await until(place, id, ({ state }) => state === 'idle' || state === 'ended');
  }
  if (agent.state !== 'idle')
    throw new Error(`${agent.state}: ${agent.problem}; methods: ${JSON.stringify(agent.logins)}\n${host.log(id)}`);
  const readyMs = performance.now() - begun;
  // Attaches the same context as the panel, except for the instructions, which the person may leave out.
  const along = (await host.place(id)).filter(({ kind }) => kind === 'project');
  const ask = async (...steps: Step[]): Promise<AgentItem[]> => {
    host.prompt(id, ['Do this:', ...steps.map(stepLine)].join('\n'), along.splice(0));
    const after = await until(place, id, ({ state }) => state === 'idle' || state === 'ended' || state === 'login');
    if (after.state !== 'idle') throw new Error(`${after.state}: ${after.problem}\n${host.log(id)}`);
    return host.items(id, null, 500);
  };
  const variable = `*by-${program}-${standing}*`;
  const evaluate: Step = { call: 'evaluate-lisp', arguments: { code: `(defparameter ${variable} (* 12 12))` } };
  const evaluates = (name: string): boolean => isTool(name, 'evaluate-lisp');
  const before = model.requests.length;
  let prompts = 0;
  let items: AgentItem[] = [];
  while (prompts < MOST_PROMPTS && !model.requests.slice(before).some(({ tools }) => tools.some(evaluates))) {
    if (prompts > 0) await new Promise((resolve) => setTimeout(resolve, 1_000)); // no event reports that an agent has found the tools
    items = await ask(evaluate);
    prompts += 1;
  }
  const evaluated = await client.evaluate(variable);
  const linked = items.some((item) => item.kind === 'call' && item.tool === 'evaluate-lisp' && item.call !== null);

  const bodies = model.requests.slice(before).map(({ body = '' }) => body);
  const told = {
    place: bodies.some((body) => body.includes(test.project) && body.includes('before you write it into a file')),
    unasked: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'].filter((name) =>
      bodies.some((body) => body.includes(`${instruction}, ${name}`)),
    ),
  };

  const outlasted = await outlast(place, ask, `*outlasted-${program}-${standing}*`);

  const files = ['by-shell', 'by-writer'].map((name) => path.join(test.project, `${name}-${program}-${standing}`));
  const [byShell, byWriter] = files as [string, string];
  const first = model.requests.length;
  let cards = 0;
  const stopDeciding = decideAll(place, () => (cards += 1));
  for (const step of [
    { shell: `echo written > '${byShell}'`, named: own.shell },
    { write: byWriter, named: own.writer, ...argument },
  ])
    await ask(step);
  const beforeReading = model.requests.length;
  const secret = `read-by-${program}-${standing}`;
  await writeFile(path.join(test.project, 'to-read.txt'), `${secret}\n`);
  for (const step of [
    { read: path.join(test.project, 'to-read.txt'), named: own.reader, ...argument },
    { shell: "cat to-read.txt || true; id -u; echo shell-'ran'", named: own.shell },
  ])
    await ask(step);
  const readings = model.requests.slice(beforeReading).map((request) => request.results.join('\n'));
  const reads = {
    byReader: readings.some((text) => text.includes(secret) && !text.includes('shell-ran')),
    byShell: readings.some((text) => text.includes(secret) && text.includes('shell-ran')),
  };
  stopDeciding();
  // Includes the tools offered by other agents that the agent starts without being asked.
  const tools = [...new Set(model.requests.slice(before).flatMap((request) => request.tools))];
  const ours = tools.filter(isOurs);
  const results = model.requests
    .slice(first)
    .map(({ results }) => results.at(-1) ?? '')
    .filter((text, index, all) => text !== '' && text !== all[index - 1]);
  const written: string[] = [];
  for (const file of files)
    await access(file).then(
      () => written.push(path.basename(file)),
      () => {},
    );

  const { process: running } = host.list().find((each) => each.id === id)!;
  const memory = Math.round((running?.memory ?? 0) / 1e6);
  const { stopMs, answeredMs } = await stopEvaluation(place, id, program, standing);
  const all = await host.items(id, null, 500);
  const log = host.log(id);
  const notices = all.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  await host.close(id);
  return {
    program,
    standing,
    readyMs: Math.round(readyMs),
    prompts,
    ourTools: ours.length,
    ownTools: tools.filter((name) => !ours.includes(name)),
    evaluated: evaluated.replace(/^=> /, '').trim(),
    linked,
    outlasted,
    written,
    reads,
    told,
    refusals: results.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 160)),
    cards,
    stopMs,
    answeredMs,
    memory,
    notices,
    items: all,
    log,
  };
}

/** Makes a call take longer than its client waits. Returns the value that the call has set at its end. */
async function outlast(
  { test, client, model }: TrialPlace,
  ask: (step: Step) => Promise<unknown>,
  variable: string,
): Promise<string> {
  const { responseTimeouts } = test.workbench.transportHost;
  const usual = responseTimeouts.response;
  responseTimeouts.response = () => 1_000;
  const before = model.requests.length;
  await ask({ call: 'evaluate-lisp', arguments: { code: `(progn (sleep 5) (defparameter ${variable} :to-the-end))` } });
  responseTimeouts.response = usual;
  const results = model.requests.slice(before).flatMap((request) => request.results);
  if (!results.some((text) => text.includes('Still running after')))
    return `not answered with a handle: ${results.join(' ')}`;
  // The image runs this evaluation after the call has ended.
  return (await client.evaluate(`(and (boundp '${variable}) (symbol-value '${variable}))`)).replace(/^=> /, '').trim();
}

/** Returns the latest words of a conversation, for an error message. */
async function latest(host: HostedAgents, id: string): Promise<string> {
  const items = await host.items(id, null, 6);
  return items.map((item) => JSON.stringify(item).slice(0, 1_000)).join('\n');
}

/** Stops the agent while its evaluation sleeps in the image. */
async function stopEvaluation(
  { test, host, client }: TrialPlace,
  id: string,
  program: string,
  standing: AgentStanding,
): Promise<{ stopMs: number; answeredMs: number }> {
  const mark = path.join(test.project, `asleep-${program}-${standing}`);
  const asleep = new Promise<void>((resolve) => {
    const watcher = watch(test.project, (_event, name) => {
      if (name !== path.basename(mark)) return;
      watcher.close();
      resolve();
    });
  });
  const code = `(progn (with-open-file (mark ${JSON.stringify(mark)} :direction :output :if-exists :supersede) (print 1 mark)) (sleep 25))`;
  host.prompt(id, ['Do this:', stepLine({ call: 'evaluate-lisp', arguments: { code } })].join('\n'), []);
  const ended = until({ host }, id, ({ state, queued }) => state !== 'working' && queued === null);
  ended.catch(() => {}); // the turn that is awaited below reports the error
  const begun = await Promise.race([asleep.then(() => true), ended.then(() => false)]);
  if (!begun) throw new Error(`The evaluation did not begin:\n${await latest(host, id)}`);
  const stopped = performance.now();
  const rested = until({ host }, id, ({ state }) => state === 'idle' || state === 'ended').then(() =>
    performance.now(),
  );
  host.stop(id);
  await client.evaluate('1');
  const answered = performance.now();
  return { stopMs: Math.round((await rested) - stopped), answeredMs: Math.round(answered - stopped) };
}

/** Approves all cards, like a careless person, until the returned function is called. */
function decideAll({ test }: TrialPlace, decided: () => void): () => void {
  const { approvals } = test.workbench;
  let isDeciding = false;
  const decide = async (): Promise<void> => {
    if (isDeciding || approvals.view().waiting.length === 0) return;
    isDeciding = true;
    await decideNext(approvals, { decision: 'approved' }).then(decided, () => {});
    isDeciding = false;
    void decide();
  };
  return approvals.events.on('changed', () => void decide());
}

function until(
  { host }: Pick<TrialPlace, 'host'>,
  id: string,
  holds: (agent: HostedAgent) => boolean,
): Promise<HostedAgent> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stop();
      clearTimeout(timer);
    };
    const look = (): void => {
      const agent = host.list().find((each) => each.id === id)!;
      if (!holds(agent)) return;
      end();
      resolve(agent);
    };
    const stop = host.events.on('changed', look);
    const hangs = async (): Promise<void> => {
      end();
      const agent = host.list().find((each) => each.id === id);
      const told = `It hangs, ${agent?.state}: ${agent?.problem ?? ''}\n${await latest(host, id)}\n${host.log(id)}`;
      await host.close(id);
      reject(new Error(told));
    };
    const timer = setTimeout(() => void hangs().catch(reject), GUARD_MS);
    look();
  });
}
