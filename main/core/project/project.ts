/** The project folder and what may be reached through it: canonical paths after symbolic links decide. */
import { readlinkSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { faultWords } from '#core/base/system-faults.ts';

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
      throw new WorkbenchError('invalid', readable(error, absolute).message, { cause: error });
    }
    throw new WorkbenchError('invalid', `${absolute} is not a folder.`);
  }

  get name(): string | null {
    return this.root === null ? null : path.basename(this.root) || this.root;
  }

  /** Returns a path as the person knows it: relative to the folder where it lies in it. */
  display(absolute: string): string {
    if (this.root === null) return absolute;
    const inside = path.relative(this.root, absolute);
    return isOutside(inside) ? absolute : inside.split(path.sep).join('/') || '.';
  }

  /**
   * The canonical path of a file that exists or is to be made, given relative to the folder or absolute.
   * @throws WorkbenchError `refused` when it lies outside, `invalid` when there is no project.
   */
  locate(given: string): Promise<string> {
    return this.#inside(given, canonicalPath);
  }

  /**
   * The canonical path of a name, which may be a link itself: links on the way to it are followed, and none at its end. For what acts on
   * names, as moving and deleting do.
   * @throws as `locate`, also for a link that leads outside; not for a link to nothing.
   */
  async locateName(given: string): Promise<string> {
    const name = await this.#inside(given, async (absolute) => {
      const parent = path.dirname(absolute);
      return parent === absolute ? absolute : path.join(await canonicalPath(parent), path.basename(absolute));
    });
    const target = await realpath(name).catch(() => null);
    if (target !== null) await this.#inside(given, () => Promise.resolve(target));
    return name;
  }

  async #inside(given: string, resolve: (absolute: string) => Promise<string>): Promise<string> {
    if (this.root === null) {
      throw new WorkbenchError(
        'invalid',
        'No project is open, so there are no files to work on. Open a folder in the window, or start with --project DIR.',
      );
    }
    if (given === '' || given.includes('\0'))
      throw new WorkbenchError('invalid', 'The path is empty or holds a null character.');
    const canonical = await resolve(path.resolve(this.root, given));
    const inside = path.relative(this.root, canonical);
    if (isOutside(inside)) {
      throw new WorkbenchError(
        'refused',
        `${given} lies outside the project ${this.root}. Only files inside it can be written; those of loaded systems can be read.`,
      );
    }
    return canonical;
  }
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}

/** Resolves links in the part of a path that exists; the rest is taken as it is written. @throws WorkbenchError `refused` for a link to nothing. */
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

/** A link to nothing would be followed by the write that comes after the check. */
async function refuseDanglingLink(absolute: string): Promise<void> {
  const link = await lstat(absolute).catch(() => null);
  if (link?.isSymbolicLink())
    throw new WorkbenchError('refused', `${absolute} is a link to something that does not exist.`);
}

/** A system error in words. */
export function readable(error: unknown, file: string): WorkbenchError {
  const code = systemCode(error) ?? '';
  const target = code === 'ENOENT' ? linkTarget(file) : null;
  const fault =
    target === null
      ? (faultWords(code) ?? `failed (${code || String(error)})`)
      : `is a link to ${target}, which does not exist`;
  return new WorkbenchError('system', `${file} ${fault}.`, { cause: error });
}

/** The place to which a link leads, as it is written there; null for all that is no link. */
function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
