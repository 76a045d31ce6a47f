/**
 * Changes of a file in the very folder that was checked. Code in the image can replace a folder of the project by a link at any
 * moment, and the file tools run outside its sandbox: by path alone a change could end up outside the project.
 */
import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/error.ts';

/**
 * Runs `work` with a name of the file that stays in its folder, whatever becomes of the path meanwhile. `file`: a canonical path;
 * its folder exists. Systems without `/proc` have no such name: there it is the path.
 * @throws WorkbenchError `refused` when the path leads to another folder by now; errors of the system.
 */
export async function inHeldFolder<Result>(file: string, work: (name: string) => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux') return work(file);
  const folder = path.dirname(file);
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(held)) !== folder)
      throw new WorkbenchError('refused', `${folder} was replaced by a link in this moment. Nothing was changed.`);
    return await work(path.join(held, path.basename(file)));
  } finally {
    await handle.close();
  }
}
