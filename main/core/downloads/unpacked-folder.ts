/**
 * The folder into which an archive is unpacked. All files stay inside it: names are checked, existing files are never overwritten, and
 * links are never followed. Links are created last and then checked. Of a file's mode, only the executable bit is used.
 */
import { link, mkdir, open, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** An entry of an archive. Its name and target are unchecked. */
export type ArchiveEntry =
  | { readonly kind: 'folder'; readonly name: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly isExecutable: boolean;
      readonly content: AsyncIterable<Uint8Array>;
    }
  /** `target` is relative to the link's folder. */
  | { readonly kind: 'symbolic link'; readonly name: string; readonly target: string }
  /** `target` is the name of an earlier entry. */
  | { readonly kind: 'hard link'; readonly name: string; readonly target: string };

export interface UnpackLimits {
  /** The maximum number of files, folders and links. */
  readonly entries: number;
  /** The maximum total size of all files, in octets. */
  readonly octets: number;
}

/** The maximum depth of nested folders. */
const MOST_DEPTH = 100;

export class UnpackedFolder {
  readonly #root: string;
  readonly #limits: UnpackLimits;
  readonly #signal: AbortSignal;
  readonly #files = new Set<string>();
  readonly #links: { readonly name: string; readonly target: string }[] = [];
  #entries = 0;
  #octets = 0;

  constructor(root: string, limits: UnpackLimits, signal: AbortSignal) {
    this.#root = root;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** Writes the next entry. @throws WorkbenchError for an invalid entry. */
  async put(entry: ArchiveEntry): Promise<void> {
    this.#signal.throwIfAborted();
    this.#entries += 1;
    if (this.#entries > this.#limits.entries)
      throw new WorkbenchError('too-large', `The archive has more than ${this.#limits.entries} entries.`);
    const name = plainName(entry.name);
    if (name === '') return; // the folder itself
    const place = path.join(this.#root, name);
    try {
      await mkdir(entry.kind === 'folder' ? place : path.dirname(place), { recursive: true, mode: 0o755 });
      if (entry.kind === 'file') await this.#write(place, entry);
      if (entry.kind === 'hard link') await this.#linkHard(place, entry.name, entry.target);
    } catch (error) {
      throw refusedName(error, entry.name);
    }
    if (entry.kind === 'file' || entry.kind === 'hard link') this.#files.add(name);
    if (entry.kind === 'symbolic link') this.#links.push({ name, target: entry.target });
  }

  /** Creates the symbolic links. @throws WorkbenchError for a link that leads out of the folder, or to nothing. */
  async finish(): Promise<void> {
    const root = await realpath(this.#root);
    for (const { name, target } of this.#links) {
      if (/^[/\\]|^[a-z]:|[\0\\]/i.test(target)) throw outside(name);
      await symlink(target, path.join(this.#root, name)).catch((error: unknown) => {
        throw refusedName(error, name);
      });
    }
    // A link's final target is known only once all links exist.
    for (const { name } of this.#links) {
      const end = await realpath(path.join(this.#root, name)).catch(() => null);
      if (end === null) throw new WorkbenchError('refused', `The archive has a link without a target, ${shown(name)}.`);
      if (end !== root && !end.startsWith(`${root}${path.sep}`)) throw outside(name);
    }
  }

  async #write(place: string, { isExecutable, content }: ArchiveEntry & { kind: 'file' }): Promise<void> {
    const handle = await open(place, 'wx', isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of content) {
        this.#signal.throwIfAborted();
        this.#octets += chunk.byteLength;
        if (this.#octets > this.#limits.octets)
          throw new WorkbenchError(
            'too-large',
            `The unpacked archive is larger than ${Math.floor(this.#limits.octets / 1_000_000)} MB.`,
          );
        await handle.writeFile(chunk);
      }
    } finally {
      await handle.close();
    }
  }

  async #linkHard(place: string, name: string, to: string): Promise<void> {
    const target = plainName(to);
    if (!this.#files.has(target)) throw outside(name);
    await link(path.join(this.#root, target), place);
  }
}

/**
 * Returns the name in this system's syntax; empty for the folder itself. @throws WorkbenchError for a name that leads outside the folder or
 * has a special meaning on any system.
 */
function plainName(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isOdd =
    /^\/|[\0\\]|^[a-z]:/i.test(name) ||
    parts.some((part) => part === '..' || (process.platform === 'win32' && /[<>:"|?*]|[. ]$/.test(part)));
  if (isOdd) throw outside(name);
  if (parts.length > MOST_DEPTH)
    throw new WorkbenchError(
      'too-large',
      `The archive has more than ${MOST_DEPTH} nested folders, ${shown(name)}, so it was not unpacked.`,
    );
  return parts.join(path.sep);
}

function outside(name: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `The archive has an entry that leads out of its folder, ${shown(name)}, so it was not unpacked.`,
  );
}

/**
 * Returns the error to report. If the path of an entry is already in use, reports that the archive is damaged; returns other system errors
 * unchanged.
 */
function refusedName(error: unknown, name: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(code)) return error;
  return new WorkbenchError('refused', `The archive has an entry that cannot be created, ${shown(name)} (${code}).`);
}

function shown(name: string): string {
  return JSON.stringify(name.length <= 200 ? name : `${name.slice(0, 199)}…`);
}
