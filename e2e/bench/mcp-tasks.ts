/** The cost of definitions through `mcp` after many earlier ones, and of searches in many files compared with grep. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { matcher } from '#core/project/search/matcher.ts';
import { searchText } from '#core/project/search/search.ts';
import { compare, interleave, timed, type Comparison } from './harness/measure.ts';
import { overStdio } from './harness/mcp-client.ts';
import { PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { freshRuntime, ROOT, script, temporaryFolder, type Bench } from './harness/setup.ts';

/** The maximum milliseconds for a definition of one line. */
const MOST_MS = 5;
const GOAL_OF_SEARCHES = 2;

export async function mcpTasks(bench: Bench): Promise<Comparison[]> {
  return [...(await definitions(bench)), ...(await searches(bench))];
}

async function definitions({ scope }: Bench): Promise<Comparison[]> {
  await (await script('build-command.mjs')).buildCommand();
  const node = (await script('places.mjs')).node();
  const plain = new PlainLisp(await freshRuntime(scope), scope, [READ_EVAL_PRINT]);
  const env = { ...process.env, LISP_WORKBENCH_HOME: await temporaryFolder(scope, 'home') };
  const project = await temporaryFolder(scope, 'project');
  const args = [path.join(ROOT, 'out/cli/cli.js'), 'mcp', '--headless', '--project', project];
  const client = await overStdio({ node, args, env });
  scope.defer(client.close);
  let count = 0;
  const next = (): string => `(defun bench-${(count += 1)} (x) (+ x 1))`;
  const comparisons: Comparison[] = [];
  for (const before of [0, 10_000]) {
    for (let made = 0; made < before; made += 100) await client.text(Array.from({ length: 100 }, next).join(' '));
    const sides = { mcp: () => timed(() => client.text(next())), plain: () => timed(() => plain.ask(next())) };
    const taken = await interleave(sides, { warmUp: 5, rounds: 50, inARow: 1 });
    const what = `defun through mcp after ${before.toLocaleString('en')} / plain sbcl`;
    comparisons.push(compare(what, taken.mcp, taken.plain, null, 'milliseconds', MOST_MS));
  }
  return comparisons;
}

/** The patterns, each with the option with which grep interprets it. */
const PATTERNS: readonly [option: string, pattern: string][] = [
  ['-rniF', 'vector-object'],
  ['-rniE', 'vector-[a-z]+-77'],
  ['-rniE', '^ +[(]loop.*777'],
];
const WORDS = ['vector', 'object', 'loop', 'list', 'hash', 'table', 'stream', 'handler', 'slot', 'package'];

async function searches({ scope, say }: Bench): Promise<Comparison[]> {
  const place = await temporaryFolder(scope, 'files');
  say('  20,000 files');
  for (let folder = 0; folder < 100; folder += 1) {
    await mkdir(path.join(place, `d${folder}`));
    for (let file = 0; file < 200; file += 1)
      await writeFile(path.join(place, `d${folder}`, `f${file}.lisp`), fileText(folder * 200 + file));
  }
  const comparisons: Comparison[] = [];
  for (const [option, pattern] of PATTERNS) {
    const matches = matcher(pattern, { regex: option.endsWith('E') });
    const signal = new AbortController().signal;
    const sides = {
      ours: () => timed(() => searchText(place, { matches, glob: null, from: null, most: 100, signal }, 60_000)),
      grep: () => timed(() => grep(option, pattern, place)),
    };
    const taken = await interleave(sides, { warmUp: 1, rounds: 7, inARow: 1 });
    comparisons.push(compare(`${pattern} in 20,000 files / grep ${option}`, taken.ours, taken.grep, GOAL_OF_SEARCHES));
  }
  return comparisons;
}

/** Returns about 4 kB of definitions, which are the same in each run. */
function fileText(seed: number): string {
  const word = (at: number): string => WORDS[(seed * 7 + at * 13 + ((seed * at) % 11)) % WORDS.length]!;
  return Array.from(
    { length: 60 },
    (_, line) =>
      `(defun ${word(line)}-${word(line + 1)}-${(seed + line * 37) % 1000} (x)\n  (${word(line + 2)} x ${seed * line}))\n`,
  ).join('');
}

/** Runs grep. Also resolves if there is no match, which grep reports as exit code 1. */
function grep(option: string, pattern: string, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('grep', [option, '--', pattern, place], { maxBuffer: 1e9 }, (error) =>
      error && error.code !== 1 ? reject(error) : resolve(),
    );
  });
}
