/** The setup of the benchmarks: functions from the setup scripts, and data about this machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { totalmem, tmpdir } from 'node:os';
import path from 'node:path';
import { findSources } from '#core/lisp/start/sources.ts';
import { ensureRuntime, type Runtime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The resources that a row uses. Their cleanup is registered with `scope`, and runs when the row ends, even after an error. */
export interface Bench {
  readonly scope: AsyncDisposableStack;
  /** Prints a progress message. */
  readonly say: (text: string) => void;
}

/** Makes a folder that is deleted with `scope`. */
export async function temporaryFolder(scope: AsyncDisposableStack, name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `lisp-workbench-bench-${name}-`));
  scope.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Builds the engine's core in a temporary folder, so that no existing cache influences the result. Returns the core with its SBCL. */
export async function freshRuntime(scope: AsyncDisposableStack): Promise<Runtime> {
  const sbcl = await findSbcl(process.env['LISP_WORKBENCH_SBCL'] || null);
  return ensureRuntime(sbcl, findSources(import.meta.dirname), await temporaryFolder(scope, 'cache'));
}

/** The heap of an image in the workbench, in megabytes: a quarter of the memory, 1 to 4 GB. */
export const heapMegabytes = Math.min(4096, Math.max(1024, Math.floor(totalmem() / 4 / 1024 / 1024)));

/** The memory sizes with which the workbench starts an image. */
export const memory = { heapMegabytes, controlStackMegabytes: 16 };

interface Report {
  readonly line: (text: string) => void;
}

interface SetupScripts {
  'steps.mjs': { setUp: (purpose: 'tests' | 'commands', report: Report) => Promise<void> };
  'build.mjs': { build: (report: Report) => Promise<void> };
  'build-command.mjs': { buildCommand: () => Promise<void> };
  'report.mjs': { createReport: (stream: NodeJS.WriteStream, options?: { quiet: boolean }) => Report };
  'electron-runtime.mjs': { electronRuntime: () => { executable: string; title: string } };
  'parent.mjs': { endWithParent: () => void };
  'places.mjs': { node: () => string };
}

/** Imports a script from resources/setup. The scripts are plain JavaScript, so the types of the functions in use are declared here. */
export async function script<Name extends keyof SetupScripts>(name: Name): Promise<SetupScripts[Name]> {
  return (await import(new URL(`resources/setup/${name}`, `file://${ROOT}/`).href)) as SetupScripts[Name];
}
