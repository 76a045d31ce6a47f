/** Texts about systems: their origin, the progress of a run, and the results of tests. */
import { plural } from '#contract/text/text.ts';
import type { LibraryRecord, SystemProgress, SystemRecord, TestOutcome } from '#contract/image/system.ts';

const ORIGINS: Record<SystemRecord['origin'], string> = {
  project: 'of this project',
  registry: 'from ASDF’s source registry',
  quicklisp: 'from Quicklisp',
  qlot: 'from qlot',
  ocicl: 'from ocicl',
};

/** Descriptions of the states that a system's file can have in the image. */
export const COMPONENT_STATES = {
  loaded: 'loaded',
  changed: 'changed since it was loaded',
  failed: 'failed',
  new: 'not loaded',
} as const;

/** Returns the facts of a system, such as "1.2, of this project, loaded". */
export function systemFacts({ version, origin, loaded, changed }: SystemRecord): string {
  return [
    version === null ? null : `version ${version}`,
    ORIGINS[origin],
    loaded ? 'loaded' : null,
    changed > 0 ? `${plural(changed, 'file')} changed since` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** Returns the name of a library tool. */
export function libraryTitle({ kind }: Pick<LibraryRecord, 'kind'>): string {
  return kind === 'quicklisp' ? 'Quicklisp' : kind;
}

/** Returns the name of the missing system from ASDF's message about a failed load; null if the load failed for another reason. */
export function missingIn(message: string): string | null {
  return /\bComponent "?([^\s"]+)"? not found/.exec(message)?.[1] ?? null;
}

/** Returns the primary system that a file belongs to: the one that the file defines, otherwise the one defined nearest above it. */
export function systemOfFile(systems: readonly SystemRecord[], file: string): string | null {
  const above = systems
    .flatMap(({ name, file: definition }) => {
      if (definition === null || name.includes('/')) return [];
      const folder = definition.slice(0, Math.max(definition.lastIndexOf('/'), definition.lastIndexOf('\\')) + 1);
      return definition === file || file.startsWith(folder) ? [{ name, folder, isIt: definition === file }] : [];
    })
    .toSorted((a, b) => Number(b.isIt) - Number(a.isIt) || b.folder.length - a.folder.length);
  return above[0]?.name ?? null;
}

/** Returns the systems whose names contain a text: an exact match first, then names that begin with the text, then the others. */
export function matching(systems: readonly SystemRecord[], text: string): SystemRecord[] {
  const rank = ({ name }: SystemRecord): number => (name === text ? 0 : name.startsWith(text) ? 1 : 2);
  return systems.filter(({ name }) => name.includes(text)).toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the systems, the project's systems first. The order is otherwise unchanged. */
export function ownFirst(systems: readonly SystemRecord[]): SystemRecord[] {
  const isOwn = ({ origin }: SystemRecord): boolean => origin === 'project';
  return [...systems.filter(isOwn), ...systems.filter((system) => !isOwn(system))];
}

/** Returns the progress of a run, such as "3 of 12 · compile shop/parts/part". */
export function progressWords({ done, total, action, component }: SystemProgress): string {
  const what = action === 'other' ? component : `${action} ${component}`;
  return `${done} of ${total}${what === '' ? '' : ` · ${what}`}`;
}

/** Returns the result of tests in one sentence. */
export function testWords({ hasTests, success, passed, failed, skipped, total }: TestOutcome): string {
  if (!hasTests) return 'This system does not define how to test it.';
  if (total === null) return success ? 'The tests ended without an error, but were not counted.' : 'The tests failed.';
  const parts = [
    `${passed ?? 0} passed`,
    `${failed ?? 0} failed`,
    (skipped ?? 0) > 0 ? `${skipped} skipped` : null,
  ].filter((part) => part !== null);
  return `${plural(total, 'check')}: ${parts.join(', ')}.`;
}
