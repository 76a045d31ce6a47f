/**
 * Rebuilds the command if its sources have changed. In a checkout, clients start the built file. If that file is older than its sources, it
 * is built again first, and this process continues with the new build. In a packaged program there are no sources, so nothing is rebuilt.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = ['main', 'package.json', 'package-lock.json', 'vite.config.ts'];

/**
 * If the built file `running` is older than its sources, builds it again and runs the new build. Returns false if `running` is up to date
 * or the build failed. After a failed build, prints the reason to standard error, and the old file continues.
 */
export async function runRebuilt(running: string): Promise<boolean> {
  const root = path.resolve(path.dirname(running), '..', '..');
  const builder = path.join(root, 'resources', 'setup', 'build-command.mjs');
  if (path.basename(running) !== 'cli.js' || !existsSync(builder) || !isOlder(running, root)) return false;
  process.stderr.write('lisp-workbench: the sources have changed, so the command is built again …\n');
  if (!(await builds(builder))) {
    process.stderr.write(
      'lisp-workbench: the command could not be built (npm run build shows why), so the previous build runs.\n',
    );
    return false;
  }
  // The query makes the new file a different module from the running one, so that it is loaded.
  await import(`${pathToFileURL(running).href}?built=${statSync(running).mtimeMs}`);
  return true;
}

function isOlder(running: string, root: string): boolean {
  const built = statSync(running).mtimeMs;
  return SOURCES.some((source) => newest(path.join(root, source)) > built);
}

function newest(file: string): number {
  const entry = statSync(file, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inner = readdirSync(file, { recursive: true, withFileTypes: true });
  return inner
    .filter((each) => each.isFile() && !/\.(test|fixture)\.ts$/.test(each.name))
    .reduce((latest, each) => Math.max(latest, statSync(path.join(each.parentPath, each.name)).mtimeMs), 0);
}

/** Runs the build. Standard output belongs to the protocol, so the build writes nothing to it. */
function builds(builder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [builder], { stdio: ['ignore', process.stderr, process.stderr] });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
