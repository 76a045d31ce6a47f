/** Removes the installation of an agent. A folder is gone at once, by its name; its files follow. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, WorkbenchError } from '#core/base/error.ts';

export interface Removal {
  readonly title: string;
  /** The folder of the agent, in which its installation and its state are. */
  readonly folder: string;
  /** True where its state, such as its login and settings, goes too. */
  readonly state: boolean;
}

/** The folder of an installation in that of its agent. */
export const PROGRAM = 'program';

/** @throws WorkbenchError with what to do; the program and its state are as they were then. */
export async function remove({ title, folder, state }: Removal): Promise<void> {
  const from = state ? folder : path.join(folder, PROGRAM);
  const gone = `${from}.removed`;
  try {
    await rm(gone, { recursive: true, force: true });
    await rename(from, gone);
  } catch (error) {
    throw new WorkbenchError(
      'system',
      `${title} was not removed: ${messageOf(error)} End what uses the files in ${from}, and remove it again.`,
    );
  }
  try {
    await rm(gone, { recursive: true, force: true });
  } catch (error) {
    throw new WorkbenchError(
      'system',
      `${title} is removed, but some of its files are still in ${gone}: ${messageOf(error)} Delete that folder.`,
    );
  }
}
