/** Runs all tests of the open project: loads its tested systems first, then runs their tests, and no tests of other projects. */
import type { TestedSystem, TestRecord } from '#contract/image/testing.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { notify } from '../../base/notices/notices.tsx';
import { pathWithin } from '../../base/text/paths.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { loadSystem } from '../systems/loading.ts';
import { knownSystems, refreshSystems } from '../systems/systems-store.ts';
import { refreshTests, runnable, runTests, tests } from './store.ts';

let isLoading = false;

/** Loads the tests of the project and runs them. Without a project, runs all tests of the image. A notice names the outcome. */
export async function runAllTests(): Promise<void> {
  const { project } = mirror.getState();
  if (project === null)
    return runTests(
      runnable(tests.getState()).map(({ id }) => id),
      { title: 'all tests' },
    );
  if (tests.getState().run !== null)
    return void notify('Tests are already running. Stop them first, or wait until they end.');
  const systems = await loadProjectTests();
  if (systems === null) return;
  const all = tests.getState().tests;
  const listed = testsOf(project.path, all);
  // A system whose tests cannot be listed one by one is run as a whole, and has one result.
  const others = new Set(systems.filter(({ lists }) => !lists || listed.length === 0).map(({ name }) => name));
  const whole = all.filter(({ framework, name }) => framework === 'asdf' && others.has(name));
  const ids = [...listed, ...whole].map(({ id }) => id);
  if (ids.length > 0) return runTests(ids, { title: `tests of ${project.name}`, of: project.name });
  notify(
    `${project.name} has no tests. A system defines how it is tested with test-op, or :in-order-to names the system with its tests.`,
  );
}

/** Loads the tested systems of the project, and lists their tests. Returns null if that is not possible, which a notice explains. */
export async function loadProjectTests(): Promise<readonly TestedSystem[] | null> {
  const { project, session } = mirror.getState();
  if (project === null) return null;
  const { name } = project;
  if (!project.trusted)
    return refuse(`${name} is not trusted, so its tests cannot be loaded.`, 'project.trust', 'Trust this folder');
  if (session.pid === null) return refuse('No image is running, so no tests can run.', 'image.start', 'Start image');
  if (isLoading) return refuse(`The tests of ${name} are being loaded.`);
  isLoading = true;
  const dismiss = notify(`Loading the tests of ${name}…`);
  try {
    const systems = await testedSystems();
    await refreshSystems();
    for (const system of namesToLoad(systems)) {
      const { state, message } = await loadSystem(system);
      if (state !== 'loaded')
        return refuse(`${system} could not be loaded. ${message ?? ''}`.trim(), 'view.problems', 'Show Problems');
    }
    await refreshTests();
    return await testedSystems(); // the frameworks are loaded now
  } catch (error) {
    return refuse(messageOf(error));
  } finally {
    isLoading = false;
    dismiss();
  }
}

/** Returns the tested systems of the project. @throws Error with the reason why they are unknown. */
async function testedSystems(): Promise<readonly TestedSystem[]> {
  const found = await call('tests.systems', { evaluation: crypto.randomUUID() });
  if (found === null) throw new Error('The image has ended. Start one, and run the tests again.');
  const { status, condition, systems } = found;
  if (status === 'ok') return systems;
  throw new Error(status === 'interrupted' ? 'The tests were stopped.' : (condition?.message ?? `It was ${status}.`));
}

/** Returns the names of tested systems that are not loaded, or of all of them if files of the project have changed. */
function namesToLoad(systems: readonly TestedSystem[]): string[] {
  const own = knownSystems().filter(({ origin }) => origin === 'project');
  const isStale = own.some(({ changed }) => changed > 0);
  const current = new Set(own.filter(({ loaded }) => loaded).map(({ name }) => name));
  return systems.flatMap(({ name, tests: parts }) => [name, ...parts]).filter((name) => isStale || !current.has(name));
}

/** Shows the reason why no tests can be loaded, with a command that helps. */
function refuse(why: string, command?: string, title = ''): null {
  notify(why, 'error', command === undefined ? null : { title, run: async () => runCommand(command) });
  return null;
}

/** True for a file in the folder of the open project. */
export function isInProject(file: string | null): boolean {
  const { project } = mirror.getState();
  return file !== null && project !== null && pathWithin(project.path, file) !== null;
}

/**
 * Returns the tests that belong to a folder: those whose definitions are in its files, and those without a known place whose package has
 * such tests.
 */
function testsOf(folder: string, all: readonly TestRecord[]): TestRecord[] {
  const listed = runnable({ tests: all });
  const isInside = ({ source }: TestRecord): boolean =>
    source?.file != null && pathWithin(folder, source.file) !== null;
  const packages = new Set(listed.filter(isInside).map((test) => test.package));
  return listed.filter((test) => isInside(test) || (test.source === null && packages.has(test.package)));
}
