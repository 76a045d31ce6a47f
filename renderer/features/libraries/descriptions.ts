/** Texts about libraries: where they come from, what an installation needs, and the progress of running work. Pure. */
import type {
  InstallPlan,
  LibrariesOverview,
  LibraryDist,
  LibraryWork,
  ProjectLibraries,
} from '#contract/libraries.ts';
import { counted } from '#contract/text/text.ts';
import { fileName } from '../../base/text/paths.ts';
import { sizeOf } from '../../ui/panels/sizes.ts';

/** True if libraries can be installed: the folder has a Quicklisp client, or dists. */
export function isSetUp({ hasClient, dists }: Pick<LibrariesOverview, 'hasClient' | 'dists'>): boolean {
  return hasClient || dists.length > 0;
}

/** Returns the version in the name of a release, such as `20241012-git` for `alexandria-20241012-git`. */
export function releaseVersion({ project, release }: { readonly project: string; readonly release: string }): string {
  return release.startsWith(`${project}-`) ? release.slice(project.length + 1) : release;
}

/** Returns the source of the project's libraries, such as `qlot (12 locked)`. */
export function toolWords({ kind, path, count }: ProjectLibraries): string {
  if (kind === 'qlot') return count === null ? 'qlot' : `qlot (${count.toLocaleString('en')} locked)`;
  return kind === 'ocicl' ? `ocicl (${fileName(path)})` : 'Quicklisp';
}

/** Returns the dists with their versions, such as `quicklisp 2024-10-12 and ultralisp 20241101`. */
export function distsWords(dists: readonly Pick<LibraryDist, 'name' | 'version'>[]): string {
  return dists.map(({ name, version }) => `${name} ${version}`).join(' and ');
}

export function distCounts({ systems, releases, installed }: LibraryDist): string {
  const some = installed === 0 ? 'none' : installed.toLocaleString('en-US');
  return `${counted(systems, 'system')} in ${counted(releases, 'project')}; ${some} installed.`;
}

/** Returns what an installation needs, such as `15 releases, 1.1 MB to download; 5 are installed.` */
export function planWords({ releases, size }: Pick<InstallPlan, 'releases' | 'size'>): string {
  const installed = releases.filter((release) => release.installed).length;
  if (installed === releases.length) return `${counted(releases.length, 'release')}, installed.`;
  const there = installed === 0 ? '' : `; ${installed} ${installed === 1 ? 'is' : 'are'} installed`;
  return `${counted(releases.length, 'release')}, ${sizeOf(size)} to download${there}.`;
}

/** True if everything that the plan needs is installed. */
export function isInstalled({ releases }: Pick<InstallPlan, 'releases'>): boolean {
  return releases.every(({ installed }) => installed);
}

/** True if a dist has the library: the plan contains a release for it. */
export function isProvided({ releases, missing }: InstallPlan, name: string): boolean {
  return releases.length > 0 && !missing.includes(name);
}

const KINDS: Record<LibraryWork['kind'], string> = {
  install: 'Installing',
  'set-up': 'Setting up',
  update: 'Updating',
  tool: 'Running',
};

/** Returns the title of running work, such as `Installing drakma`. */
export function workTitle({ kind, subject }: LibraryWork): string {
  return `${KINDS[kind]} ${subject}`;
}

/** Returns the progress of running work, such as `2 of 7 · chunga-20240101-git · 40 kB of 80 kB`. */
export function workWords({ done, total, part, words }: LibraryWork): string {
  return [total === 0 ? '' : `${done} of ${total}`, part, words].filter((each) => each !== '').join(' · ');
}
