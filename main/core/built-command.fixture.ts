/** The command `lisp-workbench` as clients start it: the built file of this checkout. It starts twice as fast as the sources. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let built: string | null = null;

/** Returns the path of the built file. If the file is older than its sources, builds it first; concurrent callers build it only once. */
export function builtCommand(): string {
  if (built !== null) return built;
  const builder = path.join(ROOT, 'resources', 'setup', 'build-command.mjs');
  execFileSync(process.execPath, [builder], { stdio: ['ignore', 'inherit', 'inherit'] });
  return (built = path.join(ROOT, 'out', 'cli', 'cli.js'));
}
