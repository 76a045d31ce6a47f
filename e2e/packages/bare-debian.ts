/**
 * A minimal Debian system in a folder. It is created by debootstrap and entered with bubblewrap. It uses the network and displays of this
 * machine.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './made.ts';

const execute = promisify(execFile);

/** An ordinary user of the system, without special rights. */
export const PERSON = { id: 1000, home: '/home/person' } as const;

/** Files and folders of this machine that the system also has, for the network, the mirror and the displays. */
const SHARED = ['/etc/resolv.conf', '/etc/hosts', '/etc/apt/apt.conf.d', '/tmp/.X11-unix'];
const KERNEL = '--ro-bind /sys /sys --bind /proc /proc --dev /dev --perms 1777 --tmpfs /dev/shm'.split(' ');
const RIGHTS = '--cap-add ALL --unshare-ipc --die-with-parent --clearenv'.split(' ');
const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const VARIABLE = 'LISP_WORKBENCH_BARE_DEBIAN';

/**
 * Creates the system for a test run. The test runner calls this function once; see `playwright.config.ts`. @returns a function that removes
 * the system.
 */
export default async function makeBareDebian(): Promise<() => Promise<void>> {
  const work = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-bare-'));
  // The root of the system is a folder inside the folder that mkdtemp makes, because only the owner can enter that folder.
  const root = path.join(work, 'root');
  process.env[VARIABLE] = root;
  await BareDebian.make(root);
  return () => rm(work, { recursive: true, force: true });
}

/** Returns the folder of this run's system. */
export function bareSystem(): string {
  const root = process.env[VARIABLE];
  if (root === undefined) throw new Error('The tests were not started by their runner.');
  return root;
}

export class BareDebian {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Makes a system in `root`, with the same release and mirror as this machine. This takes a minute. */
  static async make(root: string): Promise<void> {
    const release = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8'))![1]!;
    const { aptSources } = (await import(new URL('resources/setup/apt-sources.mjs', `file://${ROOT}/`).href)) as {
      aptSources: () => { uri: string; suites: string[] }[];
    };
    const mirror = aptSources().find(({ suites }) => suites.includes(release))!.uri;
    await execute('debootstrap', ['--variant=minbase', release, root, mirror], { maxBuffer: 16 * 1024 * 1024 });
    const debian = new BareDebian(root);
    await debian.run(['useradd', '--create-home', '--uid', String(PERSON.id), '--shell', '/bin/sh', 'person']);
  }

  /** Copies the system to `root`. Changes to one copy do not affect the other. */
  async copy(root: string): Promise<BareDebian> {
    await execute('cp', ['--archive', '--reflink=auto', this.#root, root]);
    return new BareDebian(root);
  }

  /** Returns the path that a file in the system has on this machine. */
  at(file: string): string {
    return path.join(this.#root, file);
  }

  /** Copies a file of this machine into /srv of the system. */
  async put(file: string, name: string): Promise<string> {
    await copyFile(file, this.at(path.join('/srv', name)));
    return path.join('/srv', name);
  }

  /** Runs a command as the administrator. @returns its output. */
  async run(command: readonly string[]): Promise<string> {
    const [program, ...args] = this.#entered(command, {});
    const { stdout, stderr } = await execute(program!, args, { maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  }

  /** Runs a command as the ordinary user. @returns its output, regardless of the exit code. */
  async runAsPerson(command: readonly string[]): Promise<string> {
    const [program, ...args] = this.asPerson(command);
    try {
      const { stdout, stderr } = await execute(program!, args);
      return stdout + stderr;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    }
  }

  /** Starts a command as the ordinary user. */
  start(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
    const [program, ...args] = this.asPerson(command, env);
    return spawn(program!, args);
  }

  /** Returns the command of this machine that runs `command` in the system as the ordinary user. */
  asPerson(command: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
    const id = String(PERSON.id);
    const own = [
      'setpriv',
      `--reuid=${id}`,
      `--regid=${id}`,
      '--clear-groups',
      '--bounding-set=-all',
      '--inh-caps=-all',
    ];
    return this.#entered([...own, ...command], { HOME: PERSON.home, USER: 'person', ...env });
  }

  /** Shares this machine's process namespace and `/proc`: from inside a new process namespace, a sandbox could not create its own. */
  #entered(command: readonly string[], env: Readonly<Record<string, string>>): string[] {
    const variables = { PATH: SEARCH_PATH, HOME: '/root', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive', ...env };
    return [
      'bwrap',
      '--bind',
      this.#root,
      '/',
      ...KERNEL,
      ...SHARED.flatMap((file) => ['--ro-bind-try', file, file]),
      ...RIGHTS,
      ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
      '--',
      ...command,
    ];
  }

  /** Gives the ordinary user access to this test's display. @returns the environment variables for the display. */
  async display(): Promise<Record<string, string>> {
    const { DISPLAY = '', XAUTHORITY } = process.env;
    if (XAUTHORITY === undefined) return { DISPLAY };
    const key = path.join(PERSON.home, '.Xauthority');
    await mkdir(this.at(PERSON.home), { recursive: true });
    await writeFile(this.at(key), await readFile(XAUTHORITY), { mode: 0o644 });
    return { DISPLAY, XAUTHORITY: key };
  }
}
