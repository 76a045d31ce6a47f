/**
 * The tests of the shared image with their latest results, and the current run. The list is requested again after anything that may have
 * defined tests: an evaluation, a load, or a client's call.
 */
import type { ShownTestResult, TestRecord, TestVerdict } from '#contract/image/testing.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { isWholePage, layout, showLeft } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { showDebugger } from '../debugger/announce.ts';
import { ended, interrupt } from '../../base/image/evaluations.ts';
import { notify } from '../../base/notices/notices.tsx';
import { countWords, isFailure, type TestState } from './outcomes.ts';
import { makeStore } from '../../base/store.ts';

interface TestRun {
  readonly evaluation: string;
  readonly ids: ReadonlySet<string>;
  /** The tests of the run that have ended. */
  readonly ended: ReadonlySet<string>;
  readonly current: string | null;
  readonly debug: boolean;
}

interface TestsState {
  /** The process of the image that returned the list; null before the first answer. */
  readonly pid: number | null;
  readonly frameworks: readonly string[];
  readonly tests: readonly TestRecord[];
  /** The number of tests that are not listed, because there are too many. */
  readonly more: number;
  readonly results: ReadonlyMap<string, ShownTestResult>;
  readonly run: TestRun | null;
  /** The reason why the tests could not be listed. */
  readonly problem: string | null;
}

const NONE = { frameworks: [], tests: [], more: 0, results: new Map<string, ShownTestResult>(), problem: null };
const SETTLE_MS = 200;
const TOGETHER_MS = 50;
/** The number of latest activity events that are searched for a client's call. */
const RECENT = 20;

export const [tests, useTests] = makeStore<TestsState>({ pid: null, run: null, ...NONE });

/** Requests the tests of the image; the promise never rejects. */
export async function refreshTests(): Promise<void> {
  const { pid } = mirror.getState().session;
  if (pid === null) return tests.setState({ pid: null, ...NONE });
  try {
    const listed = await call('tests.list', {});
    if (listed === null) return tests.setState({ pid: null, ...NONE });
    takeResults();
    const { results, ...rest } = listed;
    const told = new Map(results.map((each) => [each.test, each]));
    // Adds the results that the current run has reported since the list was made.
    const { run, results: shown } = tests.getState();
    for (const [test, result] of shown) if (result.evaluation === run?.evaluation) told.set(test, result);
    tests.setState({ ...rest, pid, problem: null, results: told });
  } catch (error) {
    tests.setState({ problem: messageOf(error) });
  }
}

/** Reported results that are not shown yet. They are collected so that the results of many quick tests are shown together. */
let fresh: ShownTestResult[] = [];

function takeResults(): void {
  const taken = fresh;
  fresh = [];
  if (taken.length === 0) return;
  tests.setState(({ results, run }) => ({
    results: new Map([...results, ...taken.map((each) => [each.test, each] as const)]),
    ...(run
      ? {
          run: {
            ...run,
            ended: new Set([
              ...run.ended,
              ...taken.filter((each) => each.evaluation === run.evaluation).map(({ test }) => test),
            ]),
          },
        }
      : {}),
  }));
}

/** Keeps the list and the results up to date with the image. */
export function followTests(): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void refreshTests(), SETTLE_MS);
  };
  ended.subscribe(soon);
  mirror.subscribe((state, before) => {
    const isOther =
      state.session.pid !== before.session.pid ||
      state.loads !== before.loads ||
      state.definitions !== before.definitions ||
      state.project !== before.project ||
      (state.activity !== before.activity &&
        state.activity.events.slice(-RECENT).some(({ kind }) => kind === 'call-finished'));
    if (isOther) soon();
  });
  // When a debugged test stops, the debugger is shown.
  mirror.subscribe((state, before) => {
    const { run } = tests.getState();
    if (!run?.debug || state.debuggers === before.debuggers) return;
    const known = new Set(before.debuggers.debuggers.map(({ id }) => id));
    const entered = state.debuggers.debuggers.find(
      ({ id, evaluation }) => evaluation === run.evaluation && !known.has(id),
    );
    if (entered) showDebugger(entered);
  });
  on('test-started', ({ evaluation, test }) =>
    tests.setState(({ run }) => (run?.evaluation === evaluation ? { run: { ...run, current: test } } : {})),
  );
  on('test-finished', (result) => {
    if (fresh.length === 0) setTimeout(takeResults, TOGETHER_MS);
    fresh.push(result);
  });
  soon();
}

/** Returns the tests that can be run, without suites. */
export function runnable(state: Pick<TestsState, 'tests'>): readonly TestRecord[] {
  return state.tests.filter(({ suite, framework }) => !suite && framework !== 'asdf');
}

/** Returns the existing tests that failed in their last run. */
export function failedTests({ tests: listed, results }: Pick<TestsState, 'tests' | 'results'>): readonly TestRecord[] {
  return listed.filter(({ id }) => {
    const result = results.get(id);
    return result !== undefined && isFailure(result.outcome);
  });
}

/** Returns the state of a test for its icon and its words. */
export function stateOf(id: string, { results, run }: Pick<TestsState, 'results' | 'run'>): TestState {
  if (run && !run.ended.has(id)) {
    if (run.current === id) return 'running';
    if (run.ids.has(id)) return 'waiting';
  }
  return results.get(id)?.outcome ?? 'unknown';
}

/** Returns the test with this name and package, from any framework. */
export function testNamed(name: string, inPackage: string | null): TestRecord | null {
  const found = tests.getState().tests.filter((each) => !each.suite && each.name === name);
  return (
    found.find((each) => each.package === inPackage) ?? (inPackage === null && found.length === 1 ? found[0]! : null)
  );
}

export interface RunWishes {
  /** The name of the run in the activity and in notifications. */
  readonly title: string;
  readonly debug?: boolean;
  /** A sentence about the work that was done before the run. */
  readonly before?: string;
  /** The project whose tests run, named before their numbers. */
  readonly of?: string;
}

/** Runs tests and shows their outcome. Never rejects: a notification shows errors. */
export async function runTests(
  ids: readonly string[],
  { title, debug = false, before = '', of = '' }: RunWishes,
): Promise<void> {
  if (tests.getState().run !== null)
    return void notify('Tests are already running. Stop them first, or wait until they end.');
  if (ids.length === 0) return void notify('There are no tests to run.');
  const evaluation = crypto.randomUUID();
  tests.setState({ run: { evaluation, ids: new Set(ids), ended: new Set(), current: null, debug } });
  const problem = await ranTests(ids, { title, debug, evaluation });
  // Requests the results of all tests that ran, including tests that ran as a part of another test.
  await refreshTests();
  const outcomes = [...tests.getState().results.values()]
    .filter((result) => result.evaluation === evaluation)
    .map(({ outcome }) => outcome);
  tests.setState({ run: null });
  tellOutcome({ outcomes, problem, before, of });
}

/** Removes the notification about the previous run. */
let dismiss: () => void = () => {};

/** Shows the outcome of a run in a notification, unless the visible panel already shows all of it. */
function tellOutcome({
  outcomes,
  problem,
  before,
  of,
}: {
  outcomes: TestVerdict[];
  problem: string | null;
  before: string;
  of: string;
}) {
  dismiss();
  const { page, left } = layout.getState();
  if (!isWholePage(page) && left === 'tests' && problem === null && before === '') return;
  const counts = `${of === '' ? '' : `${of}: `}${countWords(outcomes)}.`;
  const words = [before, outcomes.length === 0 ? '' : counts, problem ?? ''];
  const show = { title: 'Show Tests', run: async () => showRegion('Tests', () => showLeft('tests')) };
  const isBad = problem !== null || outcomes.some(isFailure);
  dismiss = notify(words.filter((each) => each !== '').join(' '), isBad ? 'error' : 'info', show);
}

async function ranTests(
  ids: readonly string[],
  run: { readonly title: string; readonly debug: boolean; readonly evaluation: string },
): Promise<string | null> {
  try {
    const answer = await call('tests.run', { ...run, tests: [...ids] });
    if (answer === null) return 'The image has ended. Start one, load the tests, and run them again.';
    const { status, condition, missing } = answer;
    if (status === 'interrupted') return 'The run was stopped.';
    if (status !== 'ok') return condition?.message ?? 'The image did not answer.';
    if (missing.length > 0)
      return `${missing.length === 1 ? 'A test is' : `${missing.length} tests are`} no longer in the image.`;
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Stops the run at the current test. */
export async function stopTests(): Promise<void> {
  const { run } = tests.getState();
  if (run) await interrupt(run.evaluation);
}
