/** The core that the images of all tests start from. It is built before the first test, whose guards know nothing of a build. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRuntime } from './runtime.ts';
import { findSbcl } from './sbcl.ts';
import { findSources } from './sources.ts';

/** The core file is shared by all tests of a machine: it is a function of the sources. */
export const TEST_CACHE = path.join(tmpdir(), `lisp-workbench-test-cache-${process.getuid?.() ?? 0}`);

/** Called by the test runner once, see `vitest.config.ts`. */
export default async function buildCore(): Promise<void> {
  await ensureRuntime(await findSbcl(null, process.env), findSources(import.meta.dirname), TEST_CACHE);
}
