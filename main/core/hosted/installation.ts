/**
 * Installs the newest version of an agent's program by npm. It is installed beside the folder that it is for, and takes its
 * place when it is complete. Scripts of packages never run.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginning } from '#contract/text.ts';
import { messageOf, systemCode, WorkbenchError } from '#core/error.ts';
import { loginPath } from './login-path.ts';
import type { Recipe, RecipePackage } from './recipes/recipe.ts';

export interface InstallationRequest {
  readonly recipe: Recipe;
  /** The folder that the program is for; what is in it is replaced. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder, from which no npm is started; null for none. */
  readonly project: string | null;
  readonly signal: AbortSignal;
  /** Told how it goes, in words. */
  readonly progress: (words: string) => void;
}

/** Milliseconds that npm has to end by itself once it was cancelled. */
const GRACE_MS = 2_000;
const LOG_KEPT = 16 * 1024;
/** The room that a program of unknown size gets. */
const UNKNOWN_MEGABYTES = 300;

/** Returns the words of the command that is run, as it is shown; null for a program that the person installs. */
export function installCommand({ package: npm }: Recipe): string | null {
  return npm === null ? null : `npm ${installArguments(npm.name).join(' ')}`;
}

/** @throws WorkbenchError with what to do; `cancelled` when the signal came. What was installed before is as it was then. */
export async function install(request: InstallationRequest): Promise<void> {
  const { recipe, folder, signal, progress } = request;
  packageOf(recipe);
  const npm = await findNpm(request);
  const fresh = `${folder}.new`;
  const old = `${folder}.old`;
  progress('Making the folder');
  try {
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true, mode: 0o700 });
    // npm installs into the next folder above that has such a file.
    await writeFile(path.join(fresh, 'package.json'), JSON.stringify({ name: 'agent', private: true }));
    await needRoom(recipe, fresh);
    signal.throwIfAborted();
    await runNpm(npm, fresh, request);
    progress('Putting it into its place');
    const { installed } = (await recipe.completed?.(fresh)) ?? recipe;
    if (!installed.some((name) => existsSync(path.join(fresh, name))))
      throw new WorkbenchError(
        'system',
        `npm has installed ${recipe.title}, but not its program for this system (${process.platform}, ${process.arch}). There may be none.`,
      );
    await rm(old, { recursive: true, force: true });
    signal.throwIfAborted(); // beyond this nothing is cancelled any more
    const isUpdate = existsSync(folder);
    if (isUpdate) await rename(folder, old);
    try {
      await rename(fresh, folder);
    } catch (error) {
      if (isUpdate) await rename(old, folder);
      throw error;
    }
  } catch (error) {
    if (signal.aborted) throw new WorkbenchError('cancelled', `The installation of ${recipe.title} was cancelled.`);
    throw error instanceof WorkbenchError ? error : failure(recipe, systemCode(error) ?? '', messageOf(error));
  } finally {
    for (const left of [fresh, old]) await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

function installArguments(name: string): string[] {
  return ['install', '--ignore-scripts', `${name}@latest`];
}

/** Settings beside those of the person, which tell the registry and the way to it. */
const SETTINGS = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_global: 'false',
  npm_config_include: 'optional', // the packages of the platforms
  npm_config_loglevel: 'http',
  npm_config_package_lock: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
};

/**
 * Resolves with the first npm on the person's path, or else on that of their login shell; none of the project is run.
 * @throws WorkbenchError where there is none.
 */
async function findNpm({
  environment,
  project,
  recipe,
}: Pick<InstallationRequest, 'environment' | 'project' | 'recipe'>): Promise<string> {
  const name = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const isOfProject = (file: string): boolean => project !== null && file.startsWith(`${project}${path.sep}`);
  for (const paths of [() => environment['PATH'] ?? '', () => loginPath(environment)]) {
    const folders = (await paths()).split(path.delimiter).filter((folder) => path.isAbsolute(folder));
    const found = folders
      .map((folder) => path.join(folder, name))
      .find((file) => existsSync(file) && !isOfProject(file) && !isOfProject(realpathSync(file)));
    if (found !== undefined) return found;
  }
  throw new WorkbenchError(
    'not-found',
    `npm is not on the path, and ${recipe.title} is installed by it. Install Node.js, which brings npm along, and start the workbench again; or install ${recipe.title} in another way, so that "${recipe.program}" is on the path.`,
  );
}

/** @throws WorkbenchError where the disk has too little room. */
async function needRoom({ title, package: npm }: Recipe, folder: string): Promise<void> {
  const megabytes = npm?.megabytes ?? UNKNOWN_MEGABYTES;
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  if (free < megabytes)
    throw new WorkbenchError(
      'system',
      `${title} takes about ${megabytes} MB, and ${folder} has room for ${free} MB. Make room on that disk, and install it then.`,
    );
}

/** The path with a folder at its end, where it has not got it. */
function withFolder(folder: string, paths = ''): string {
  const folders = paths.split(path.delimiter).filter(Boolean);
  return (folders.includes(folder) ? folders : [...folders, folder]).join(path.delimiter);
}

function runNpm(npm: string, folder: string, request: InstallationRequest): Promise<void> {
  const { recipe, environment, signal, progress } = request;
  const { name } = packageOf(recipe);
  const isWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    // A batch file needs the shell of Windows; the arguments are those of the recipe.
    const child = spawn(isWindows ? `"${npm}"` : npm, installArguments(name), {
      cwd: folder,
      // npm is a script of the Node that lies beside it.
      env: { ...environment, PATH: withFolder(path.dirname(npm), environment['PATH']), ...SETTINGS },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: !isWindows,
      shell: isWindows,
    });
    let log = '';
    let answers = 0;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_KEPT);
      answers += text.match(/npm http fetch GET 200 /g)?.length ?? 0;
      if (answers > 0) progress(`Fetching it: ${answers} ${answers === 1 ? 'file' : 'files'} so far`);
    });
    const end = (how: NodeJS.Signals): void => {
      try {
        if (isWindows) child.kill(how);
        else process.kill(-child.pid!, how);
      } catch {
        // it has just ended
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const cancelled = (): void => {
      end('SIGTERM');
      timer = setTimeout(() => end('SIGKILL'), GRACE_MS);
    };
    const killed = (): void => end('SIGKILL');
    signal.addEventListener('abort', cancelled, { once: true });
    process.once('exit', killed);
    const over = (): void => {
      signal.removeEventListener('abort', cancelled);
      process.off('exit', killed);
      clearTimeout(timer);
    };
    child.on('error', (error) => {
      over();
      reject(error);
    });
    child.on('close', (code, by) => {
      over();
      if (code === 0) resolve();
      else
        reject(
          failure(
            recipe,
            /npm error code (\w+)/.exec(log)?.[1] ?? '',
            errorsOf(log) ?? `npm ended with ${by ?? `exit code ${code}`}.`,
          ),
        );
    });
    progress('Asking the registry');
  });
}

/** Milliseconds that npm has to look a version up. */
const LOOK_UP_MS = 20_000;

/** Resolves with the newest version of the package of a program, as the registry of npm has it; null where it cannot be looked up. */
export async function newestVersion(
  request: Pick<InstallationRequest, 'recipe' | 'environment' | 'project' | 'signal'>,
): Promise<string | null> {
  const { recipe, environment, signal } = request;
  if (recipe.package === null) return null;
  const npm = await findNpm(request).catch(() => null);
  if (npm === null) return null;
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = spawn(isWindows ? `"${npm}"` : npm, ['view', `${recipe.package!.name}@latest`, 'version'], {
      cwd: path.dirname(npm), // no folder of a project, whose settings would name another registry
      env: { ...environment, PATH: withFolder(path.dirname(npm), environment['PATH']), ...SETTINGS },
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: isWindows,
      timeout: LOOK_UP_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (said = (said + text).slice(0, LOG_KEPT)));
    child.on('error', () => resolve(null));
    child.on('close', () => resolve(/^(\d+\.\d+\.\d+[\w.+-]{0,60})\s*$/.exec(said)?.[1] ?? null));
  });
}

/** The lines in which npm tells its errors, but for the stack of its own code; null for none. */
function errorsOf(log: string): string | null {
  const lines = log
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!) (?!code |errno |A complete log|\s+at |\s*$)(.*)/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? null : lines.join(' ').trim();
}

const NO_NETWORK =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/;

/** The failure of an installation, with what to do. @internal Exported for its test. */
export function failure(recipe: Recipe, code: string, said: string): WorkbenchError {
  const { title } = recipe;
  const what = packageOf(recipe);
  return new WorkbenchError(
    'system',
    `${title} was not installed: ${advice(code, what)} ${beginning(said, 500)}`.trim(),
  );
}

/** @throws WorkbenchError for a program that the person installs. */
function packageOf({ title, package: npm }: Recipe): RecipePackage {
  if (npm !== null) return npm;
  throw new WorkbenchError('unsupported', `${title} is not installed by npm. Install it as its vendor says.`);
}

function advice(code: string, { name, megabytes }: RecipePackage): string {
  if (NO_NETWORK.test(code))
    return 'the registry of npm could not be reached. Look whether the network is there, and whether npm knows your proxy (npm config get proxy); then install it again.';
  switch (code) {
    case 'ENOSPC':
      return `the disk is full.${megabytes === null ? '' : ` It takes about ${megabytes} MB.`} Make room, and install it again.`;
    case 'E404':
    case 'ETARGET':
      return `the registry that npm uses has no ${name}. Look which one that is (npm config get registry).`;
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
      return 'the registry that npm uses wants a login (npm login).';
    case 'EINTEGRITY':
      return 'a file arrived damaged, or is damaged in the cache of npm. Clean that (npm cache clean --force), and install it again.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'a folder may not be written.';
    default:
      return 'npm reports an error.';
  }
}
