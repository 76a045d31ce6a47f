/** The command `prepare`: builds the core that images start from, so that the first start does not have to wait for it. */
import { ensureRuntime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import { BUILDING } from '#core/transports/change-notifications.ts';
import type { CommandLine } from './options/arguments.ts';
import { say } from './headless.ts';

/** @returns the exit code. @throws WorkbenchError `no-sbcl`, with instructions, if SBCL is missing or the core cannot be built. */
export async function prepare({ sbcl }: Pick<CommandLine, 'sbcl'>): Promise<number> {
  const { cache } = createPaths(findPaths());
  const sources = findSources(import.meta.dirname);
  await ensureRuntime(await findSbcl(sbcl, process.env, sources), sources, cache, [], () => say(`${BUILDING} …`));
  return 0;
}
