/**
 * Actions on libraries: setting up Quicklisp, installing, loading, updating, and running the project's tool. One of them runs at a time;
 * the panel shows its progress.
 */
import type { LibraryWork, ProjectLibraries } from '#contract/libraries.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { notify } from '../../base/notices/notices.tsx';
import { activateLibrary, reloadSystem } from '../systems/loading.ts';
import { refreshSystems } from '../systems/systems-store.ts';
import { isInstalled, isProvided } from './descriptions.ts';
import { knownOverview, libraries, refreshLibraries } from './libraries-store.ts';

/** True if the person has cancelled the running work. Its end is then not an error. */
let isCancelled = false;

/** Downloads the Quicklisp client and subscribes to the dists of the settings. Resolves to false if that failed. */
export function setUpQuicklisp(): Promise<boolean> {
  return run({ kind: 'set-up', subject: 'Quicklisp' }, async () => {
    const { setup } = await call('libraries.setUp', {});
    notify(`Quicklisp is set up: ${setup}. Its code runs when you load a library.`);
  });
}

/** Installs libraries with everything that they need. Resolves to false if that failed. */
export function installLibraries(systems: readonly string[]): Promise<boolean> {
  const subject = systems.join(', ');
  return run({ kind: 'install', subject }, async () => {
    await call('libraries.install', { systems: [...systems] });
    notify(`${subject}: installed.`);
  });
}

/**
 * Loads a system into the image. Installs what the library `name` needs first. `asked` is the system to load, if it is not the library
 * itself but a system that needs it. Without an image, only installs.
 */
export async function loadLibrary(name: string, asked = name): Promise<void> {
  const plan = await call('libraries.plan', { systems: [name] }).catch(() => null);
  if (plan && isProvided(plan, name) && !isInstalled(plan) && !(await installLibraries([name]))) return;
  if (mirror.getState().session.pid === null) return;
  await activateQuicklisp();
  await reloadSystem(asked, null, '');
}

/** Makes the image use the installed libraries, unless it uses a library tool already. */
export async function activateQuicklisp(): Promise<void> {
  const [overview, { libraries: tools }] = await Promise.all([knownOverview(), call('systems.list', {})]);
  if (tools.some(({ active }) => active)) return;
  const clients = tools.filter(({ kind }) => kind === 'quicklisp');
  const found = clients.find(({ path }) => path.startsWith(overview?.folder ?? '')) ?? clients[0];
  if (found) await activateLibrary(found);
}

export function addDist(address: string): Promise<boolean> {
  return run({ kind: 'set-up', subject: address }, async () => {
    await call('libraries.addDist', { address });
    notify(`The dist was added: ${address}`);
  });
}

export function updateDist(dist: string, version: string): Promise<boolean> {
  return run({ kind: 'update', subject: `${dist} to ${version}` }, async () => {
    await call('libraries.update', { dist, version });
    notify(`${dist} has the version ${version} now. Loaded libraries stay as they are until you load them again.`);
  });
}

/** Runs the program of the project's library tool. Its output appears in the panel. */
export function runTool(
  { kind }: Pick<ProjectLibraries, 'kind'>,
  action: 'add' | 'install' | 'update',
  library: string | null = null,
): Promise<boolean> {
  const title = [kind, action, library].filter((word) => word !== null).join(' ');
  return run({ kind: 'tool', subject: title }, async () => {
    const { output } = await call('libraries.runTool', { action, library });
    libraries.setState({ toolOutput: { title, text: output } });
    notify(`${title}: done.`);
  });
}

export async function cancelWork(): Promise<void> {
  isCancelled = true;
  await call('libraries.cancel', {});
}

/** Runs an action with its progress, and shows a notice if it fails. Does nothing if another action is running. */
async function run(begun: Pick<LibraryWork, 'kind' | 'subject'>, action: () => Promise<void>): Promise<boolean> {
  if (libraries.getState().work !== null) {
    notify('Other work on libraries is running. Wait until it ends, or cancel it.');
    return false;
  }
  isCancelled = false;
  libraries.setState({ work: { ...begun, part: '', done: 0, total: 0, words: '' }, toolOutput: null });
  try {
    await action();
    return true;
  } catch (error) {
    notify(messageOf(error), isCancelled ? 'info' : 'error');
    return false;
  } finally {
    libraries.setState({ work: null });
    await refreshLibraries();
    if (mirror.getState().session.pid !== null) await refreshSystems();
  }
}
