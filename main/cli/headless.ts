/** Shared code of the commands that run without a window. Each opens its own workbench, with an image that no other program uses. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findSources } from '#core/lisp/start/sources.ts';
import { newKeptRun } from '#core/project/files/kept-runs.ts';
import { Project } from '#core/project/project.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import { BUILDING } from '#core/transports/change-notifications.ts';
import { Workbench } from '#core/workbench.ts';
import { projectFolder, type CommandLine } from './options/arguments.ts';
import { targetOf } from './options/target-argument.ts';
import { UsageError } from './options/usage-error.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Opens the workbench without starting Lisp. `keptFiles` is the folder into which files are copied before an approved change. Each run that
 * approves changes has its own folder, from which the command `undo` restores files.
 */
export async function openHeadless(line: CommandLine, version: string, keptFiles?: string): Promise<Workbench> {
  const sources = findSources(import.meta.dirname);
  const folder = projectFolder(line.project, process.env, homedir(), path.dirname(sources));
  const project = folder === null ? Project.none : await Project.open(folder);
  const paths = createPaths(findPaths());
  const kept = keptFiles ?? (line.approve === null ? null : newKeptRun(paths.state));
  const workbench = new Workbench({
    version,
    paths,
    project,
    sbcl: line.sbcl,
    sources,
    shared: false,
    environment: process.env,
    ...(line.effects === null ? {} : { effects: line.effects }),
    ...(line.tools === null ? {} : { tools: line.tools }),
    release: releaseWords(line),
    sandbox: line.sandbox,
    strict: line.strict,
    ...(kept === null ? {} : { keptFiles: kept }),
    target: line.target === null ? null : targetOf(line.target, paths.config),
    swank: { secret: () => line.swankSecret, address: process.env['LISP_WORKBENCH_BIND'] || LOOPBACK },
    initFile: line.init === null ? null : initFile(line.init),
  });
  workbench.session.events.on('lifecycle', ({ change, summary }) => {
    if (change === 'failed') say(summary);
  });
  let building = false;
  workbench.session.events.on('changed', () => {
    const now = workbench.session.building;
    if (now && !building) say(`${BUILDING} …`);
    building = now;
  });
  workbench.alerts.events.on('raised', ({ text }) => say(text));
  void workbench.checkAudit();
  return workbench;
}

/** Returns the instructions for resuming a paused client. */
function releaseWords({ command }: CommandLine): string {
  return `This program has no window in which the person could resume the client. Ask the person to check its changes and then to restart "lisp-workbench ${command}"; the pause lasts until then.`;
}

/** @throws UsageError if the file does not exist. */
function initFile(given: string): string {
  const file = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
  if (!existsSync(file)) throw new UsageError(`there is no init file ${file}.`);
  return file;
}

/** Prints the startup notices. Call this once the command is certain to run. */
export function printNotices(workbench: Workbench): void {
  for (const problem of workbench.problems) say(problem);
  for (const { text } of workbench.alerts.list()) say(text);
  say(workbench.transportHost.notice);
}

/** Writes a log line to standard error, because standard output carries a protocol or the ready line. */
export function say(text: string): void {
  process.stderr.write(`lisp-workbench: ${text}\n`);
}

/** Resolves when the process receives a signal to end. */
export function endRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
