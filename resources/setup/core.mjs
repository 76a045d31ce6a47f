/** Builds the core from which images start. The program's own command `prepare` does the work, because it knows where the core belongs. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from './build-command.mjs';
import { digestOf } from './build.mjs';
import { run } from './children.mjs';
import { cacheFolder, inRoot, node } from './places.mjs';
import { SetupProblem } from './report.mjs';
import { findSbcl } from './sbcl.mjs';

/** Returns the path of the stamp file. Its name depends on the SBCL, the engine and the core's home. */
function stamp() {
  const { LISP_WORKBENCH_HOME: home = '', LISP_WORKBENCH_SBCL: own = '' } = process.env;
  const facts = JSON.stringify([findSbcl()?.title, own, home, digestOf(['lisp'])]);
  return join(cacheFolder(), `core-${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`);
}

export function findCore() {
  return existsSync(stamp()) ? 'the core of the engine' : undefined;
}

/** Builds the core. @throws SetupProblem with the command's message if the build fails. */
export async function buildCore(report) {
  await buildCommand();
  const stop = report.working('building the core of the engine');
  const { code, all } = await run(node(), [inRoot('out', 'cli', 'cli.js'), 'prepare']);
  stop();
  if (code !== 0) throw new SetupProblem(`The core of the engine could not be built:\n${all.trim()}`);
  mkdirSync(cacheFolder(), { recursive: true });
  writeFileSync(stamp(), '');
}
