/** The index files of a Quicklisp dist: `distinfo.txt`, `releases.txt` and `systems.txt`. Pure. */
import { WorkbenchError } from '#core/base/error.ts';

/** The facts about a version of a dist. Addresses are as in the file. */
export interface DistInfo {
  readonly name: string;
  readonly version: string;
  readonly systemIndexUrl: string;
  readonly releaseIndexUrl: string;
  /** The address at which the dist announces its newest version; null for a dist that is never updated. */
  readonly subscriptionUrl: string | null;
  /** The address of the list of all versions, which is derived as the client derives it; null if there is none. */
  readonly versionsUrl: string | null;
}

/** An archive with the sources of one or more systems. */
export interface Release {
  readonly project: string;
  readonly url: string;
  /** The size of the archive in octets. */
  readonly size: number;
  /** The MD5 of the archive, in hexadecimal digits. */
  readonly md5: string;
  /** The SHA-1 of the contents of the archive's files, in hexadecimal digits. */
  readonly contentSha1: string;
  /** The folder that the archive contains. */
  readonly prefix: string;
  /** The definition files, relative to that folder. */
  readonly systemFiles: readonly string[];
}

/** A system that a dist provides. */
export interface DistSystem {
  readonly name: string;
  readonly project: string;
  /** The name of its definition file, without the ending. */
  readonly file: string;
  readonly dependencies: readonly string[];
}

/** Reads `distinfo.txt`. @throws WorkbenchError `refused` if a required line is missing. */
export function parseDistInfo(text: string): DistInfo {
  const fields = new Map(
    linesOf(text).flatMap((line): [string, string][] => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? '']];
    }),
  );
  const required = (name: string): string => {
    const value = fields.get(name) ?? '';
    if (value !== '') return value;
    throw new WorkbenchError('refused', `The text is not the description of a dist: it has no line "${name}".`);
  };
  const subscriptionUrl = fields.get('distinfo-subscription-url') || null;
  return {
    name: plain(required('name')),
    version: plain(required('version')),
    systemIndexUrl: required('system-index-url'),
    releaseIndexUrl: required('release-index-url'),
    subscriptionUrl,
    versionsUrl: fields.get('available-versions-url') ?? subscriptionUrl?.replace(/\.txt$/, '-versions.txt') ?? null,
  };
}

/**
 * Reads the list of a dist's versions, newest first. Each has the address of its `distinfo.txt`. @throws WorkbenchError `refused` for a line
 * that cannot be read.
 */
export function parseVersions(text: string): { version: string; address: string }[] {
  return rowsOf(text, 'list of versions', 2)
    .map(([version, address]) => ({ version: version!, address: address! }))
    .toSorted((one, other) => (one.version < other.version ? 1 : -1));
}

/** Reads `releases.txt`. @throws WorkbenchError `refused` for a line that cannot be read. */
export function parseReleases(text: string): Release[] {
  return rowsOf(text, 'releases.txt', 6).map(
    ([project, url, size, md5, contentSha1, prefix, ...systemFiles], index) => {
      const octets = Number(size);
      if (!Number.isSafeInteger(octets) || !/^[\da-f]{32}$/i.test(md5!) || !/^[\da-f]{40}$/i.test(contentSha1!))
        throw unreadable('releases.txt', index);
      return {
        project: plain(project!),
        url: url!,
        size: octets,
        md5: md5!.toLowerCase(),
        contentSha1: contentSha1!.toLowerCase(),
        prefix: plain(prefix!),
        systemFiles: systemFiles.map(insideFolder),
      };
    },
  );
}

/** Reads `systems.txt`. @throws WorkbenchError `refused` for a line that cannot be read. */
export function parseSystems(text: string): DistSystem[] {
  return rowsOf(text, 'systems.txt', 3).map(([project, file, name, ...dependencies]) => ({
    name: name!,
    project: plain(project!),
    file: file!,
    dependencies,
  }));
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Returns the words of each line. @throws WorkbenchError `refused` for a line with fewer than `least` words. */
function rowsOf(text: string, file: string, least: number): string[][] {
  return linesOf(text).map((line, index) => {
    const words = line.trim().split(/\s+/);
    if (words.length < least) throw unreadable(file, index);
    return words;
  });
}

function unreadable(file: string, index: number): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `Entry ${index + 1} of the dist's ${file} cannot be read. The download may be incomplete.`,
  );
}

/** Returns a name that becomes the name of a file or folder. @throws WorkbenchError `refused` for a name that would lead elsewhere. */
function plain(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && !/^\.+$/.test(name)) return name;
  throw new WorkbenchError(
    'refused',
    `The dist has a name that is not a file name: ${JSON.stringify(name.slice(0, 100))}.`,
  );
}

/** Returns a relative path. @throws WorkbenchError `refused` for a path that leads out of its folder. */
function insideFolder(file: string): string {
  const parts = file.split('/');
  if (parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))) return file;
  throw new WorkbenchError('refused', `The dist has a file outside its folder: ${JSON.stringify(file.slice(0, 100))}.`);
}
