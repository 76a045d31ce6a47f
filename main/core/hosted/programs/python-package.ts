/**
 * Installs an agent from a Python package with uv. Also installs a Python if the person has none. The program is started directly and not
 * with uvx, because uvx would need its cache and the registry at each start, and both are unavailable in a sandbox. No code of a package
 * runs during the installation.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { beginning, oneLine } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { InstallationRequest } from './installation-request.ts';
import { writeRecord } from './installed-record.ts';
import { findTool, runTool, withFolder } from '#core/programs/tool-programs.ts';
import { foldersOutside } from '#core/programs/path-folders.ts';
import type { PythonDownload } from '../recipes/recipe.ts';

const IS_WINDOWS = process.platform === 'win32';

/** Returns the uv arguments that install a package. */
export function uvArguments({ package: spec }: PythonDownload): string[] {
  return ['tool', 'install', '--no-build', spec];
}

/** Installs a package into a folder. The folder must not be moved afterwards. @throws WorkbenchError with advice for the person. */
export async function installPythonPackage(
  download: PythonDownload,
  folder: string,
  request: InstallationRequest,
): Promise<void> {
  const { recipe, signal, progress } = request;
  const uv = await findTool(IS_WINDOWS ? 'uv.exe' : 'uv', request);
  if (uv === null)
    throw new WorkbenchError(
      'not-found',
      `${recipe.title} is a Python package that is installed with uv, which is not on the path. Install uv (https://docs.astral.sh/uv), then ${recipe.title}; or install ${recipe.title} in another way, so that "${recipe.program}" is on the path.`,
    );
  progress('Requesting the package');
  const ended = await runTool({
    tool: uv,
    args: uvArguments(download),
    directory: folder,
    environment: await uvEnvironment(uv, folder, request),
    signal,
    said: (text) => {
      const step = [...text.matchAll(/^ *((?:Resolved|Downloading|Prepared|Installed) .*)$/gm)].at(-1)?.[1];
      if (step !== undefined) progress(beginning(oneLine(step), 100));
    },
  });
  if (ended.how !== null) throw failure(recipe.title, oneLine(ended.log) || `uv ended with ${ended.how}.`);
  const program = path.join('bin', IS_WINDOWS ? `${download.program}.exe` : download.program);
  if (!existsSync(path.join(folder, program)))
    throw new WorkbenchError(
      'system',
      `uv has installed ${recipe.title}, but its package does not contain the program "${download.program}" that the list names, so it was removed again.`,
    );
  await rm(path.join(folder, 'cache'), { recursive: true, force: true });
  await writeRecord(folder, { version: download.version, program });
}

/**
 * Returns the environment for uv. All of uv's files are stored in the folder. The person's settings define the registry and the network
 * access. A Python in the project is never run.
 */
async function uvEnvironment(
  uv: string,
  folder: string,
  { environment, project }: InstallationRequest,
): Promise<NodeJS.ProcessEnv> {
  const { VIRTUAL_ENV: _active, CONDA_PREFIX: _conda, ...others } = environment;
  const paths = await foldersOutside(environment['PATH'] ?? '', project);
  return {
    ...others,
    PATH: withFolder(path.dirname(uv), paths.join(path.delimiter)),
    NO_COLOR: '1',
    UV_CACHE_DIR: path.join(folder, 'cache'),
    UV_LINK_MODE: 'hardlink', // the cache is deleted afterwards, so the installation must not contain links into it
    UV_NO_PROGRESS: '1',
    UV_PYTHON_INSTALL_BIN: '0',
    UV_PYTHON_INSTALL_DIR: path.join(folder, 'python'),
    UV_TOOL_BIN_DIR: path.join(folder, 'bin'),
    UV_TOOL_DIR: path.join(folder, 'tools'),
  };
}

function failure(title: string, said: string): WorkbenchError {
  return new WorkbenchError('system', `${title} was not installed: ${advice(said)} ${beginning(said, 500)}`);
}

function advice(said: string): string {
  if (/No space left on device/i.test(said)) return 'the disk is full. Make room, and install it again.';
  if (/dns error|error sending request|connection refused|timed out|network is unreachable/i.test(said))
    return 'the registry of Python packages could not be reached. Check the network and uv’s proxy (HTTPS_PROXY), then install it again.';
  if (/--no-build|no-build/.test(said))
    return 'one of its packages must be built from source, which would run untrusted code. The workbench does not do that.';
  return 'uv reports an error.';
}
