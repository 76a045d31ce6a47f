/** Moves a file, a link or a folder to a path that is not in use, so that no existing file is replaced. */
import { link, lstat, readlink, rename, unlink } from 'node:fs/promises';
import { systemCode, WorkbenchError } from '#core/base/error.ts';

/**
 * Moves a file, a link itself or a folder to an unused path. A file is moved with a hard link, because a rename would replace a file that
 * was created in the meantime.
 * @throws WorkbenchError `refused` if the path, displayed as `shown`, is taken; system errors.
 */
export async function moveToFree(file: string, to: string, shown: string): Promise<void> {
  const taken = new WorkbenchError('refused', `${shown} already exists.`);
  const isFree = async (): Promise<boolean> => (await lstat(to).catch(() => null)) === null;
  try {
    const isLink = await readlink(file).then(
      () => true,
      () => false,
    );
    if (isLink || (await lstat(file)).isDirectory()) {
      if (!(await isFree())) throw taken;
      return await rename(file, to); // a hard link to a symbolic link would follow it on some systems, and folders have none
    }
    await link(file, to);
    await unlink(file);
  } catch (error) {
    if (error === taken || systemCode(error) === 'EEXIST') throw taken;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'].includes(systemCode(error) ?? '')) throw error;
    if (!(await isFree())) throw taken; // the file system has no hard links
    await rename(file, to);
  }
}
