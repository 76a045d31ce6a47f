/** Removes an agent's installation. The folder is renamed immediately; its files are deleted afterwards. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, WorkbenchError } from '#core/base/error.ts';

export interface Removal {
  readonly title: string;
  /** The agent's folder, with its installation and its state. */
  readonly folder: string;
  /** True to remove the agent's state too, such as its login and settings. */
  readonly state: boolean;
}

/** The name of the installation folder in the agent's folder. */
export const PROGRAM = 'program';

/** Removes an installation. @throws WorkbenchError with advice for the person; in that case the program and its state are unchanged. */
export async function remove({ title, folder, state }: Removal): Promise<void> {
  const from = state ? folder : path.join(folder, PROGRAM);
  const gone = `${from}.removed`;
  try {
    await rm(gone, { recursive: true, force: true });
    await rename(from, gone);
  } catch (error) {
    throw new WorkbenchError(
      'system',
      `${title} was not removed: ${messageOf(error)} End the programs that use the files in ${from}, and try again.`,
    );
  }
  try {
    await rm(gone, { recursive: true, force: true });
  } catch (error) {
    throw new WorkbenchError(
      'system',
      `${title} was removed, but some of its files are still in ${gone}: ${messageOf(error)} Delete that folder.`,
    );
  }
}
