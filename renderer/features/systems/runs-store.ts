/** The latest run that describes each system, and the latest run that tests it. Loads are stored elsewhere. */
import type { SystemDescription, TestOutcome } from '#contract/image/system.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { refreshSystems } from './systems-store.ts';
import { makeStore } from '../../base/store.ts';

/** A run and its outcome: `result` or `problem`, both null while it is running. */
export interface Run<Result> {
  readonly evaluation: string;
  readonly result: Result | null;
  readonly problem: string | null;
}

interface RunsState {
  /** The process of the image in which the run takes place. */
  pid: number | null;
  descriptions: ReadonlyMap<string, Run<SystemDescription>>;
  tests: ReadonlyMap<string, Run<TestOutcome>>;
}

const KEPT = 50;
const [store, useStored] = makeStore<RunsState>({ pid: null, descriptions: new Map(), tests: new Map() });

export function useRuns(system: string): { description: Run<SystemDescription> | null; test: Run<TestOutcome> | null } {
  const description = useStored((state) => state.descriptions.get(system) ?? null);
  const test = useStored((state) => state.tests.get(system) ?? null);
  return { description, test };
}

export async function describeSystem(system: string): Promise<void> {
  const put = (run: Run<SystemDescription>): void =>
    store.setState(({ descriptions }) => ({ descriptions: withRun(descriptions, system, run) }));
  await follow((evaluation) => call('systems.describe', { system, evaluation }), put);
}

export async function testSystem(system: string): Promise<void> {
  const put = (run: Run<TestOutcome>): void => store.setState(({ tests }) => ({ tests: withRun(tests, system, run) }));
  await follow((evaluation) => call('systems.test', { system, evaluation }), put);
  // The list is refreshed because testing loads the system first.
  await refreshSystems();
}

/** Forgets the runs of other images. `pid` is the process of the running image. */
export function keepRunsOf(pid: number | null): void {
  if (store.getState().pid !== pid) store.setState({ pid, descriptions: new Map(), tests: new Map() });
}

export function isDescribed(system: string): boolean {
  return store.getState().descriptions.has(system);
}

export function isRunning(run: Run<unknown> | null): run is Run<unknown> {
  return run !== null && run.result === null && run.problem === null;
}

async function follow<Result>(
  start: (evaluation: string) => Promise<Result>,
  put: (run: Run<Result>) => void,
): Promise<void> {
  const evaluation = crypto.randomUUID();
  put({ evaluation, result: null, problem: null });
  try {
    put({ evaluation, result: await start(evaluation), problem: null });
  } catch (error) {
    put({ evaluation, result: null, problem: messageOf(error) });
  }
}

function withRun<Result>(
  runs: ReadonlyMap<string, Run<Result>>,
  system: string,
  run: Run<Result>,
): ReadonlyMap<string, Run<Result>> {
  const others = [...runs].filter(([name]) => name !== system).slice(-(KEPT - 1));
  return new Map([...others, [system, run]]);
}
