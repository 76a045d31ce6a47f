/** A soak: several clients work on one `serve` for a given time, while everything that could grow is measured. */
import { connectOverHttp, type Agent } from './clients.ts';
import { openInspector, type Inspector } from './inspector.ts';
import { openPlace, type Place } from './place.ts';
import { heldBy, processesOf, temporaryFiles } from './processes.ts';
import { randomFrom } from './random.ts';
import { middle, type Sample } from './samples.ts';
import { startServe, type Served } from './served.ts';
import { SharedImage } from './shared-image.ts';
import { decideByName, TASKS, WrongAnswer, type AskedFiles, type SoakSystem, type Task, type Worker } from './tasks.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** The number of clients that work at the same time. */
  readonly clients: number;
  readonly seed: number;
  /** The number of seconds between two samples. */
  readonly every: number;
  /** A folder with cores that were built before; null to build a core. */
  readonly cache: string | null;
  readonly sampled: (sample: Sample) => void;
  /** Called for each wrong answer, with the task's name and a description. */
  readonly wrong: (task: string, what: string) => void;
  /** Called at the end, while the program is still running, with access to its inspector. */
  readonly look?: (inspector: Inspector) => Promise<void>;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  /** The number of times that each task was done. */
  readonly done: Readonly<Record<string, number>>;
  /** The files left in the folder for temporary files after the program has ended. */
  readonly left: readonly string[];
  /** The processes of the run that were still running after the program had ended. */
  readonly running: readonly string[];
}

/**
 * The maximum number of processes: the program, its terminal (two processes), the image, 20 checkpoints, 20 checkpoints that clients
 * requested, and two temporary ones.
 */
export const MOST_PROCESSES = 3 + 1 + 20 + 20 + 2;
const LATENCY_ROUNDS = 9;
const USAGE =
  '(progn (sb-ext:gc :full t) (list (sb-kernel:dynamic-usage) (length (sb-thread:list-all-threads)) (sb-posix:getpid)))';

export async function soak(options: SoakOptions): Promise<SoakResult> {
  await using scope = new AsyncDisposableStack();
  const place = await openPlace(scope, options.cache);
  const served = await startServe(scope, place, { inspect: true, decide: decideByName });
  const inspector = await openInspector(served.inspector!);
  const done: Record<string, number> = {};
  let wrong = 0;
  const until = performance.now() + options.minutes * 60_000;
  const samples: Sample[] = [];
  const [image, system, asked] = [new SharedImage(), newSystem(), newAsked()];
  const workers = await Promise.all(
    Array.from({ length: options.clients }, async (_, index): Promise<Worker> => {
      const name = `client-${index}`;
      const agent = await connectOverHttp(served, name);
      return { name, agent, random: randomFrom(options.seed * 1000 + index), served, place, image, system, asked };
    }),
  );
  const failed = (name: string, error: unknown): void => {
    wrong += 1;
    const { stack, cause, code } = error as Error & { code?: number | string };
    const why = cause instanceof Error ? `\n${cause.stack}` : '';
    options.wrong(
      name,
      error instanceof WrongAnswer
        ? error.message
        : `${stack}${code === undefined ? '' : `\ncode: ${String(code)}`}${why}`,
    );
    if (served.hasEnded()) throw new Error(`serve has ended: ${served.said().slice(-2000)}`, { cause: error });
  };
  const atWork = workers.map(async (worker) => {
    while (performance.now() < until) {
      const [name, task] = chosen(worker);
      try {
        await task(worker);
      } catch (error) {
        failed(name, error);
      }
      done[name] = (done[name] ?? 0) + 1;
    }
  });
  const watcher = await connectOverHttp(served, 'watcher');
  const started = performance.now();
  const counts = (): Pick<Sample, 'at' | 'tasks' | 'wrong'> => ({
    at: Math.round((performance.now() - started) / 1000),
    tasks: Object.values(done).reduce((sum, each) => sum + each, 0),
    wrong,
  });
  const watched = (async () => {
    for (; performance.now() < until; await new Promise((resolve) => setTimeout(resolve, options.every * 1000))) {
      try {
        // Takes the lock exclusively, because a client that returned to a checkpoint now would replace the measured image.
        const sample = await image.alone(() => take(watcher, served, place, inspector, counts()));
        samples.push(sample);
        options.sampled(sample);
      } catch (error) {
        failed('sample', error);
      }
    }
  })();
  await Promise.all([...atWork, watched]);
  await options.look?.(inspector);
  inspector.close();
  for (const { agent } of [...workers, { agent: watcher }]) await agent.close();
  served.signal('SIGTERM');
  await served.ended;
  return {
    samples,
    done,
    left: temporaryFiles(place),
    running: processesOf(place).map(({ pid, command }) => `${pid} ${command}`),
  };
}

async function take(
  watcher: Agent,
  served: Served,
  place: Place,
  inspector: Inspector,
  counts: Pick<Sample, 'at' | 'tasks' | 'wrong'>,
): Promise<Sample> {
  const latencies: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    const begun = performance.now();
    const text = await watcher.evaluate('(+ 1 2)');
    if (text !== '=> 3') throw new Error(`(+ 1 2) was answered with ${text}`);
    latencies.push(performance.now() - begun);
  }
  const text = await watcher.evaluate(USAGE);
  const [, dynamic, threads, pid] = /=> \((\d+) (\d+) (\d+)\)/.exec(text)?.map(Number) ?? [];
  if (pid === undefined) throw new Error(`The image told no usage: ${text}`);
  const [serve, image] = [await heldBy(served.pid), await heldBy(pid)];
  if (serve === null || image === null) throw new Error('A process ended while it was looked at.');
  const running = processesOf(place).filter(({ command }) => !command.includes(' mcp --headless'));
  const ours = new Set(
    running
      .filter(({ isLisp, pid: each }) => isLisp && groupOf(running, each) === groupOf(running, pid))
      .map((each) => each.pid),
  );
  return {
    ...counts,
    latencyMs: Math.round(middle(latencies) * 10) / 10,
    serve: { resident: serve.resident, heap: await inspector.heapUsed(), descriptors: serve.descriptors },
    image: { resident: image.resident, dynamic: dynamic!, descriptors: image.descriptors, threads: threads! },
    processes: running.filter(({ isLisp, pid: each }) => !isLisp || ours.has(each)).length,
  };
}

function groupOf(running: readonly { pid: number; group: number }[], pid: number): number | undefined {
  return running.find((each) => each.pid === pid)?.group;
}

function chosen({ random }: Worker): readonly [string, Task] {
  const all = Object.entries(TASKS);
  let left = random.integer(all.reduce((sum, [, [, often]]) => sum + often, 0));
  for (const [name, [task, often]] of all) {
    if (left < often) return [name, task];
    left -= often;
  }
  throw new Error('There are no tasks.');
}

function newSystem(): SoakSystem {
  return { version: 0, writtenAt: -Infinity, loading: Promise.resolve() };
}

function newAsked(): AskedFiles {
  return { count: 0, denied: 0, asking: Promise.resolve() };
}
