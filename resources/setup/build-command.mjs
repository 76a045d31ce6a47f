/** Builds only `out/cli/cli.js`, which implements the commands that run without a window, if it is missing or older than its sources. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND_SOURCES, commandStamp, digestOf, stampCommand } from './build.mjs';
import { run } from './children.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, inRoot, node, root, tools } from './places.mjs';
import { SetupProblem } from './report.mjs';

const RESULT = inRoot('out', 'cli', 'cli.js');

/**
 * Builds the commands. @throws SetupProblem with Vite's message if the build fails. If several clients start at the same time, the commands
 * are built only once.
 */
export function buildCommand() {
  const lock = `build-${createHash('sha256').update(root).digest('hex').slice(0, 12)}.lock`;
  return withLock(join(cacheFolder(), lock), async () => {
    const digest = digestOf(COMMAND_SOURCES);
    if (isBuilt(digest)) return touch();
    const env = { ...process.env, NODE_ENV: 'production', LISP_WORKBENCH_BUILD: 'cli' };
    const { code, all } = await run(node(), [tools.vite, 'build', '--logLevel', 'warn'], { env });
    if (code !== 0) throw new SetupProblem(`The build failed:\n${all.trim()}`, ['npm run build']);
    stampCommand(digest);
  });
}

function isBuilt(digest) {
  try {
    return existsSync(RESULT) && JSON.parse(readFileSync(commandStamp(), 'utf8')).digest === digest;
  } catch {
    return false;
  }
}

/**
 * Updates the modification time of the result, if the sources are newer but have the same content, so that their content is not compared
 * again.
 */
function touch() {
  const now = new Date();
  utimesSync(RESULT, now, now);
}

if (fileURLToPath(import.meta.url) === process.argv[1]) {
  try {
    await buildCommand();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
