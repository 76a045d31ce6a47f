/** What the commands without a window share: a workbench of their own, with an image that nobody else uses. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findSources } from '#core/lisp/sources.ts';
import { Project } from '#core/project/project.ts';
import { createPlaces, findPlaces } from '#core/settings/places.ts';
import { Workbench } from '#core/workbench.ts';
import { projectFolder, UsageError, type CommandLine } from './arguments.ts';

/** Starts no Lisp yet: the first call that needs the image does. */
export async function openHeadless(line: CommandLine, version: string): Promise<Workbench> {
  const sources = findSources(import.meta.dirname);
  const folder = projectFolder(line.project, process.env, homedir(), path.dirname(sources));
  const project = folder === null ? Project.none : await Project.open(folder);
  const places = createPlaces(findPlaces());
  const workbench = new Workbench({
    version,
    places,
    project,
    sbcl: line.sbcl,
    sources,
    shared: false,
    environment: process.env,
    ...(line.effects === null ? {} : { effects: line.effects }),
    sandbox: line.sandbox,
    initFile: line.init === null ? null : initFile(line.init),
  });
  workbench.session.events.on('life', ({ change, summary }) => {
    if (change === 'failed') say(summary);
  });
  workbench.alerts.events.on('raised', ({ text }) => say(text));
  void workbench.checkAudit();
  return workbench;
}

/** @throws UsageError when there is no such file. */
function initFile(given: string): string {
  const file = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
  if (!existsSync(file)) throw new UsageError(`there is no init file ${file}.`);
  return file;
}

/** What whoever started it should know, once it is sure that it runs. */
export function sayNotices(workbench: Workbench): void {
  for (const problem of workbench.problems) say(problem);
  for (const { text } of workbench.alerts.list()) say(text);
  say(workbench.door.notice);
}

/** Logs go to standard error: standard output carries a protocol or the ready line. */
export function say(text: string): void {
  process.stderr.write(`lisp-workbench: ${text}\n`);
}

/** Resolves when the process is asked to end. */
export function endRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
