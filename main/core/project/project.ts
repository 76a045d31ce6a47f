/**
 * The project folder and the paths that are accessible through it. Access is checked on canonical paths, after following symbolic links.
 */
import { readlinkSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { faultWords } from '#core/base/system-faults.ts';

export class Project {
  /** The canonical path of the folder; null if no project is open. */
  readonly root: string | null;

  private constructor(root: string | null) {
    this.root = root;
  }

  static readonly none = new Project(null);

  /** Opens a folder as the project. @throws WorkbenchError `invalid` if `folder` is not a readable folder. */
  static async open(folder: string): Promise<Project> {
    const absolute = path.resolve(folder);
    try {
      const root = await realpath(absolute);
      if ((await stat(root)).isDirectory()) return new Project(root);
    } catch (error) {
      throw new WorkbenchError('invalid', readable(error, absolute).message, { cause: error });
    }
    throw new WorkbenchError('invalid', `${absolute} is not a folder.`);
  }

  get name(): string | null {
    return this.root === null ? null : path.basename(this.root) || this.root;
  }

  /** Returns a path for display: relative if it is inside the project's folder. */
  display(absolute: string): string {
    if (this.root === null) return absolute;
    const inside = path.relative(this.root, absolute);
    return isOutside(inside) ? absolute : inside.split(path.sep).join('/') || '.';
  }

  /**
   * Returns the canonical path of an existing or new file; `given` is relative to the folder or absolute.
   * @throws WorkbenchError `refused` if the file is outside, `invalid` if no project is open.
   */
  locate(given: string): Promise<string> {
    return this.#inside(given, canonicalPath);
  }

  /**
   * Returns the canonical path of a name that may itself be a link. Links in its parent folders are followed, but the link itself is not.
   * This is for operations on names, such as moving and deleting.
   * @throws as `locate`, also for a link that leads outside. A broken link is allowed.
   */
  async locateName(given: string): Promise<string> {
    const name = await this.locateOwnName(given);
    const target = await realpath(name).catch(() => null);
    if (target !== null) await this.#inside(given, () => Promise.resolve(target));
    return name;
  }

  /**
   * Returns the canonical path of a name like `locateName`, also for a link that leads outside. This is for the person's operations on
   * names, which do not touch the target of a link.
   * @throws as `locate`.
   */
  locateOwnName(given: string): Promise<string> {
    return this.#inside(given, async (absolute) => {
      const parent = path.dirname(absolute);
      return parent === absolute ? absolute : path.join(await canonicalPath(parent), path.basename(absolute));
    });
  }

  async #inside(given: string, resolve: (absolute: string) => Promise<string>): Promise<string> {
    if (this.root === null) {
      throw new WorkbenchError(
        'invalid',
        'No project is open, so there are no files to work on. Open a folder in the window, or start with --project DIR.',
      );
    }
    if (given === '' || given.includes('\0'))
      throw new WorkbenchError('invalid', 'The path is empty or contains a null character.');
    const canonical = await resolve(path.resolve(this.root, given));
    const inside = path.relative(this.root, canonical);
    if (isOutside(inside)) {
      throw new WorkbenchError(
        'refused',
        `${given} is outside the project ${this.root}. Only files inside it can be written; those of loaded systems can be read.`,
      );
    }
    return canonical;
  }
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}

/** Resolves links in the existing part of a path; the rest stays as written. @throws WorkbenchError `refused` for a broken link. */
export async function canonicalPath(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw readable(error, absolute);
    await refuseDanglingLink(absolute);
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(await canonicalPath(parent), path.basename(absolute));
  }
}

/** Refuses a broken link, because the write after the check would follow it. */
async function refuseDanglingLink(absolute: string): Promise<void> {
  const link = await lstat(absolute).catch(() => null);
  if (link?.isSymbolicLink())
    throw new WorkbenchError('refused', `${absolute} is a link to something that does not exist.`);
}

/** Converts a system error to a message. */
export function readable(error: unknown, file: string): WorkbenchError {
  const code = systemCode(error) ?? '';
  const target = code === 'ENOENT' ? linkTarget(file) : null;
  const fault =
    target === null
      ? (faultWords(code) ?? `failed (${code || String(error)})`)
      : `is a link to ${target}, which does not exist`;
  return new WorkbenchError('system', `${file} ${fault}.`, { cause: error });
}

/** Returns the target of a link, as written in the link; null if the file is not a link. */
function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
