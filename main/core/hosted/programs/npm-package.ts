/** Installs the newest version of an agent's package with npm, and looks up versions. Package scripts never run. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginning } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { InstallationRequest } from './installation-request.ts';
import { findTool, runTool, withFolder } from '#core/programs/tool-programs.ts';
import type { RecipePackage } from '../recipes/recipe.ts';

const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const MOST_SAID = 16 * 1024;

/** Returns the npm arguments that install a package. */
export function npmArguments({ name }: RecipePackage): string[] {
  return ['install', '--ignore-scripts', `${name}@latest`];
}

/** Installs a package into a folder. @throws WorkbenchError with advice for the person. */
export async function installNpmPackage(
  npmPackage: RecipePackage,
  folder: string,
  request: InstallationRequest,
): Promise<void> {
  const { recipe, environment, signal, progress } = request;
  const npm = await findTool(NPM, request);
  if (npm === null)
    throw new WorkbenchError(
      'not-found',
      `${recipe.title} is installed with npm, which is not on the path. Install Node.js, which includes npm, and restart the workbench; or install ${recipe.title} in another way, so that "${recipe.program}" is on the path.`,
    );
  // Without this file, npm would install into a parent folder that has one.
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'agent', private: true }));
  signal.throwIfAborted();
  progress('Requesting the package');
  let answers = 0;
  const ended = await runTool({
    tool: npm,
    args: npmArguments(npmPackage),
    directory: folder,
    environment: npmEnvironment(npm, environment),
    signal,
    said: (text) => {
      answers += text.match(/npm http fetch GET 200 /g)?.length ?? 0;
      if (answers > 0) progress(`Downloading: ${answers} ${answers === 1 ? 'file' : 'files'} so far`);
    },
  });
  if (ended.how !== null)
    throw npmFailure(
      recipe.title,
      npmPackage,
      /npm error code (\w+)/.exec(ended.log)?.[1] ?? '',
      errorsOf(ended.log) ?? `npm ended with ${ended.how}.`,
    );
  const { installed } = (await recipe.completed?.(folder)) ?? recipe;
  if (!installed.some((name) => existsSync(path.join(folder, name))))
    throw new WorkbenchError(
      'system',
      `npm has installed ${recipe.title}, but not its program for this system (${process.platform}, ${process.arch}). There may be no such program.`,
    );
}

/** How long, in milliseconds, npm may take to look up a version. */
const LOOK_UP_MS = 20_000;

/** Resolves with the newest version of a program's package in the npm registry; null if the lookup fails. */
export async function newestVersion(
  { name }: RecipePackage,
  request: Pick<InstallationRequest, 'environment' | 'project' | 'signal'>,
): Promise<string | null> {
  const { environment, signal } = request;
  const npm = await findTool(NPM, request);
  if (npm === null) return null;
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = spawn(isWindows ? `"${npm}"` : npm, ['view', `${name}@latest`, 'version'], {
      cwd: path.dirname(npm), // a folder outside any project, because a project's settings could name another registry
      env: npmEnvironment(npm, environment),
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: isWindows,
      timeout: LOOK_UP_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (said = (said + text).slice(0, MOST_SAID)));
    child.on('error', () => resolve(null));
    child.on('close', () => resolve(/^(\d+\.\d+\.\d+[\w.+-]{0,60})\s*$/.exec(said)?.[1] ?? null));
  });
}

/** Settings for npm in addition to the person's own, which define the registry and the network access. */
const SETTINGS = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_global: 'false',
  npm_config_include: 'optional', // a package's optional packages contain the program for each platform
  npm_config_loglevel: 'http',
  npm_config_package_lock: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
};

/** Returns the environment for npm, which is a script that is run by the Node beside it. */
function npmEnvironment(npm: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, PATH: withFolder(path.dirname(npm), environment['PATH']), ...SETTINGS };
}

/** Returns the log's lines with npm's errors, without stack traces of npm's own code; null if there are none. */
function errorsOf(log: string): string | null {
  const lines = log
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!) (?!code |errno |A complete log|\s+at |\s*$)(.*)/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? null : lines.join(' ').trim();
}

const NO_NETWORK =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/;

/** Returns the error, with advice, for an installation with npm that failed. @internal Exported for its test. */
export function npmFailure(title: string, npmPackage: RecipePackage, code: string, said: string): WorkbenchError {
  return new WorkbenchError(
    'system',
    `${title} was not installed: ${advice(code, npmPackage)} ${beginning(said, 500)}`.trim(),
  );
}

function advice(code: string, { name, megabytes }: RecipePackage): string {
  if (NO_NETWORK.test(code))
    return 'the registry of npm could not be reached. Check the network and npm’s proxy (npm config get proxy), then install it again.';
  switch (code) {
    case 'ENOSPC':
      return `the disk is full.${megabytes === null ? '' : ` It takes about ${megabytes} MB.`} Make room, and install it again.`;
    case 'E404':
    case 'ETARGET':
      return `the registry that npm uses has no ${name}. Check the registry (npm config get registry).`;
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
      return 'the registry that npm uses requires a login (npm login).';
    case 'EINTEGRITY':
      return 'a downloaded or cached file is damaged. Clean npm’s cache (npm cache clean --force), and install it again.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'a folder is not writable. Change its permissions, then install it again.';
    default:
      return 'npm reports an error.';
  }
}
