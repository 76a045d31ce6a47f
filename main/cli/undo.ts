/** The command `undo`: lists the file changes that were approved without a window, and reverts one. */
import path from 'node:path';
import type { Takeable } from '#contract/decisions/activity.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { Backups } from '#core/project/files/backups.ts';
import { keptRuns } from '#core/project/files/kept-runs.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import type { CommandLine } from './options/arguments.ts';
import { openHeadless } from './headless.ts';

/** A change, and the folder of the run that made it. */
interface Change extends Takeable {
  readonly run: string;
}

/** The number of characters of a change's id that the list shows. */
const SHORT = 8;

/**
 * Lists the changes, or reverts one. @returns the exit code: 1 if nothing was reverted because the file has changed since. @throws
 * WorkbenchError if there is no such change.
 */
export async function undo(line: CommandLine, version: string): Promise<number> {
  const found = await changesOf(createPaths(findPaths()).state);
  if (line.change === null) {
    const words = found.map(({ approval, file, becomes, possible }) => {
      const why = possible ? '' : ' (changed since, or taken back)';
      return `${approval.slice(0, SHORT)}  ${file} ${becomes}${why}\n`;
    });
    process.stdout.write(words.length === 0 ? 'There is no change to undo.\n' : words.join(''));
    return 0;
  }
  const { change } = line;
  const meant = found.filter(({ approval }) => approval.startsWith(change));
  if (meant.length !== 1)
    throw new WorkbenchError('not-found', `There is no change ${change}. "lisp-workbench undo" lists all of them.`);
  const [{ approval, run }] = meant as [Change];
  const workbench = await openHeadless(line, version, run);
  const { restored, message } = await workbench.takeBack(approval);
  await workbench.dispose();
  process.stdout.write(`${message}${restored ? '' : ' Nothing was undone.'}\n`);
  return restored ? 0 : 1;
}

/** Returns the changes of all runs, newest first. */
async function changesOf(state: string): Promise<Change[]> {
  const found: Change[] = [];
  for (const run of keptRuns(state))
    for (const change of await new Backups(run).since(null, 0, (file) => path.resolve(file)))
      found.push({ ...change, run });
  return found;
}
