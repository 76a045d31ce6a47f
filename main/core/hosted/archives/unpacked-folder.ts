/**
 * The folder into which an archive is unpacked. Nothing of an archive lands outside of it: names are checked, nothing is written over or through something else,
 * and links are made last, when nothing is written any more, and looked after. Of the modes of files only that they can be run is taken.
 */
import { link, mkdir, open, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

/** An entry of an archive. Names and targets are as the archive has them. */
export type ArchiveEntry =
  | { readonly kind: 'folder'; readonly name: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly isExecutable: boolean;
      readonly content: AsyncIterable<Uint8Array>;
    }
  /** `target` is relative to the folder of the link. */
  | { readonly kind: 'symbolic link'; readonly name: string; readonly target: string }
  /** `target` is the name of an entry before it. */
  | { readonly kind: 'hard link'; readonly name: string; readonly target: string };

export interface UnpackLimits {
  /** Files, folders and links. */
  readonly entries: number;
  /** Octets of all files. */
  readonly octets: number;
}

/** Folders within each other. */
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

  /** Takes the next entry. @throws WorkbenchError for one that does not fit. */
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

  /** Makes the symbolic links. @throws WorkbenchError for one that leads out of the folder, or to nothing. */
  async finish(): Promise<void> {
    const root = await realpath(this.#root);
    for (const { name, target } of this.#links) {
      if (/^[/\\]|^[a-z]:|[\0\\]/i.test(target)) throw outside(name);
      await symlink(target, path.join(this.#root, name)).catch((error: unknown) => {
        throw refusedName(error, name);
      });
    }
    // Only when all of them are there it is seen where each leads.
    for (const { name } of this.#links) {
      const end = await realpath(path.join(this.#root, name)).catch(() => null);
      if (end === null)
        throw new WorkbenchError('refused', `The archive has a link that leads to nothing, ${shown(name)}.`);
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
            `The archive is unpacked to more than ${Math.floor(this.#limits.octets / 1_000_000)} MB.`,
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

/** The name in the form of this system; empty for the folder itself. @throws WorkbenchError for one that leads elsewhere, or that a system takes for something else. */
function plainName(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isOdd =
    /^\/|[\0\\]|^[a-z]:/i.test(name) ||
    parts.some((part) => part === '..' || (process.platform === 'win32' && /[<>:"|?*]|[. ]$/.test(part)));
  if (isOdd) throw outside(name);
  if (parts.length > MOST_DEPTH)
    throw new WorkbenchError(
      'too-large',
      `The archive has more than ${MOST_DEPTH} folders within each other, ${shown(name)}, so it was not unpacked.`,
    );
  return parts.join(path.sep);
}

function outside(name: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `The archive has an entry that leads out of its folder, ${shown(name)}, so it was not unpacked.`,
  );
}

/** An entry where there is something else already is a fault of the archive; other errors of the system are not. */
function refusedName(error: unknown, name: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'].includes(code)) return error;
  return new WorkbenchError('refused', `The archive has an entry that cannot be made, ${shown(name)} (${code}).`);
}

function shown(name: string): string {
  return JSON.stringify(name.length <= 200 ? name : `${name.slice(0, 199)}…`);
}
