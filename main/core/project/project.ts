/** The project folder and what may be reached through it: canonical paths after symbolic links decide. */
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/error.ts';

export class Project {
  /** Canonical path of the folder; null while there is none. */
  readonly root: string | null;

  private constructor(root: string | null) {
    this.root = root;
  }

  static readonly none = new Project(null);

  /** @throws WorkbenchError `invalid` when `folder` is no folder that can be read. */
  static async open(folder: string): Promise<Project> {
    const absolute = path.resolve(folder);
    try {
      const root = await realpath(absolute);
      if ((await stat(root)).isDirectory()) return new Project(root);
    } catch (error) {
      throw new WorkbenchError('invalid', `${absolute} cannot be opened (${systemCode(error) ?? 'error'}).`, {
        cause: error,
      });
    }
    throw new WorkbenchError('invalid', `${absolute} is no folder.`);
  }

  get name(): string | null {
    return this.root === null ? null : path.basename(this.root) || this.root;
  }

  /** As the person knows it: relative to the folder. */
  display(absolute: string): string {
    return this.root === null ? absolute : path.relative(this.root, absolute).split(path.sep).join('/') || '.';
  }

  /**
   * The canonical path of a file that exists or is to be made, given relative to the folder or absolute.
   * @throws WorkbenchError `refused` when it lies outside, `invalid` when there is no project.
   */
  async locate(given: string): Promise<string> {
    if (this.root === null) {
      throw new WorkbenchError(
        'invalid',
        'No project is open, so there are no files to work on. Open a folder in the window, or start with --project DIR.',
      );
    }
    if (given === '' || given.includes('\0'))
      throw new WorkbenchError('invalid', 'The path is empty or holds a null character.');
    const canonical = await canonicalPath(path.resolve(this.root, given));
    const inside = path.relative(this.root, canonical);
    if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) {
      throw new WorkbenchError(
        'refused',
        `${given} lies outside the project ${this.root}. Only files inside it can be read or written.`,
      );
    }
    return canonical;
  }
}

/** Resolves links in the part of a path that exists; the rest is taken as it is written. */
async function canonicalPath(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw readable(error, absolute);
    await refuseDanglingLink(absolute);
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(await canonicalPath(parent), path.basename(absolute));
  }
}

/** A link to nothing would be followed by the write that comes after the check. */
async function refuseDanglingLink(absolute: string): Promise<void> {
  const link = await lstat(absolute).catch(() => null);
  if (link?.isSymbolicLink())
    throw new WorkbenchError('refused', `${absolute} is a link to something that does not exist.`);
}

/** A system error in words. */
export function readable(error: unknown, file: string): WorkbenchError {
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EACCES: 'may not be accessed (permission denied)',
    EPERM: 'may not be changed (operation not permitted)',
    EISDIR: 'is a folder',
    ENOTDIR: 'has a file where a folder is needed in its path',
    ENOSPC: 'cannot be written: the disk is full',
    EROFS: 'cannot be written: the disk is read-only',
    ELOOP: 'is a circle of links',
    ENAMETOOLONG: 'has too long a name',
  };
  const code = systemCode(error);
  return new WorkbenchError('system', `${file} ${reasons[code ?? ''] ?? `failed (${code ?? String(error)})`}.`, {
    cause: error,
  });
}
