/**
 * Other programs that install something, such as npm, uv and qlot. They are searched for on the person's paths, and run in a process group, so that all
 * their processes can be ended.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { loginPath } from './login-path.ts';
import { membership } from './path-folders.ts';

interface ToolPlaces {
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder, from which no tool is started; null if no project is open. */
  readonly project: string | null;
}

interface ToolRun {
  readonly tool: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Called with the tool's output. */
  readonly said: (text: string) => void;
}

/** How long, in milliseconds, a cancelled tool may take to end before it is killed. */
const GRACE_MS = 2_000;
const LOG_KEPT = 16 * 1024;

/**
 * Resolves with the first file of this name on the person's path or, if there is none, on the path of their login shell. Resolves with null
 * if there is no such file outside the project.
 */
export async function findTool(name: string, { environment, project }: ToolPlaces): Promise<string | null> {
  const isOfProject = await membership(project);
  for (const paths of [() => environment['PATH'] ?? '', () => loginPath(environment)]) {
    const folders = (await paths()).split(path.delimiter).filter((folder) => path.isAbsolute(folder));
    const found = folders
      .map((folder) => path.join(folder, name))
      .find((file) => existsSync(file) && !isOfProject(file) && !isOfProject(realpathSync(file)));
    if (found !== undefined) return found;
  }
  return null;
}

/** How a tool ended: `how` is null on success, else a description. `log` is the end of its output. */
interface ToolEnd {
  readonly how: string | null;
  readonly log: string;
}

/** Resolves when the tool and its child processes have ended. */
export function runTool(run: ToolRun): Promise<ToolEnd> {
  const { tool, args, directory, environment, signal, said } = run;
  const isWindows = process.platform === 'win32';
  // A batch file runs only in the Windows shell.
  const needsShell = isWindows && tool.endsWith('.cmd');
  return new Promise((resolve, reject) => {
    const child = spawn(needsShell ? `"${tool}"` : tool, args, {
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !isWindows,
      shell: needsShell,
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-LOG_KEPT);
        said(text);
      });
    const end = (how: NodeJS.Signals): void => {
      try {
        if (isWindows) child.kill(how);
        else process.kill(-child.pid!, how);
      } catch {
        // the process has already ended
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
      resolve({ how: code === 0 ? null : (by ?? `exit code ${code}`), log });
    });
  });
}

/** Returns the path with the folder added at the end, or unchanged if it already contains the folder. */
export function withFolder(folder: string, paths = ''): string {
  const folders = paths.split(path.delimiter).filter(Boolean);
  return (folders.includes(folder) ? folders : [...folders, folder]).join(path.delimiter);
}
