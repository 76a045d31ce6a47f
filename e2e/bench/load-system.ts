/**
 * Loading a system with progress and records, compared with ASDF in a plain SBCL. Measured both with empty and with full caches of compiled
 * files.
 */
import path from 'node:path';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { openImage, own } from './harness/image.ts';
import { compare, interleave, timed, type Comparison, type Sample } from './harness/measure.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { freshRuntime, temporaryFolder, type Bench } from './harness/setup.ts';

const GOAL = 1.05;
const SYSTEMS = ['alexandria', 'cl-ppcre', 'fiveam'];

export async function loadSystem({ scope, say }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const systems = await inReach(runtime, scope);
  if (systems.length === 0)
    throw new Error(
      `ASDF finds none of ${SYSTEMS.join(', ')}. Install one, on Debian with: sudo apt-get install cl-alexandria`,
    );
  const comparisons: Comparison[] = [];
  for (const system of systems) {
    say(`  ${system}`);
    // Uses a separate folder, because ASDF also searches an image's folder for systems. In the shared temporary folder, that search would
    // be most of the work.
    const project = await temporaryFolder(scope, 'project');
    const caches = await temporaryFolder(scope, 'fasls');
    const cold = (): string => path.join(caches, crypto.randomUUID());
    const [ourCache, plainCache] = [cold(), cold()];
    const taken = await interleave(
      {
        ourCold: ours(runtime, system, project, cold),
        plainCold: plain(runtime, system, cold),
        ourWarm: ours(runtime, system, project, () => ourCache),
        plainWarm: plain(runtime, system, () => plainCache),
      },
      { warmUp: 1, rounds: 12, inARow: 1 },
    );
    comparisons.push(
      compare(`load ${system}, nothing compiled / plain asdf:load-system`, taken.ourCold, taken.plainCold, GOAL),
      compare(`load ${system}, compiled / plain asdf:load-system`, taken.ourWarm, taken.plainWarm, GOAL),
    );
  }
  return comparisons;
}

async function inReach(runtime: Runtime, scope: AsyncDisposableStack): Promise<string[]> {
  const lisp = new PlainLisp(runtime, scope, ['(require :asdf)', READ_EVAL_PRINT]);
  const found: string[] = [];
  for (const system of SYSTEMS) {
    if ((await lisp.ask(`(and (asdf:find-system ${JSON.stringify(system)} nil) t)`)) === 'T') found.push(system);
  }
  return found;
}

/** Loads the system in a new image each time; the image's start is not measured. */
function ours(runtime: Runtime, system: string, project: string, cache: () => string): Sample {
  return async () => {
    await using scope = new AsyncDisposableStack();
    const image = await openImage(runtime, scope, { XDG_CACHE_HOME: cache() }, project);
    return await timed(async () => {
      const { status, condition } = await image.request('load-system', { ...own(), guard: true, system });
      if (status !== 'ok') throw new Error(condition?.message ?? status);
    });
  };
}

/** Loads the system in a new process of plain SBCL that already has ASDF. */
function plain(runtime: Runtime, system: string, cache: () => string): Sample {
  return async () => {
    await using scope = new AsyncDisposableStack();
    const lisp = new PlainLisp(runtime, scope, ['(require :asdf)', READ_EVAL_PRINT], { XDG_CACHE_HOME: cache() });
    expect(await lisp.ask(':ready'), ':READY');
    return await timed(async () =>
      expect(await lisp.ask(`(progn (asdf:load-system ${JSON.stringify(system)}) :loaded)`, ':LOADED\n'), ':LOADED'),
    );
  };
}
