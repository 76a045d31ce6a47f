/** Systems in words: where they come from, how far a run is, how tests went. */
import { plural } from '#contract/text/text.ts';
import type { LibraryRecord, SystemProgress, SystemRecord, TestOutcome } from '#contract/image/system.ts';

const ORIGINS: Record<SystemRecord['origin'], string> = {
  project: 'of this project',
  registry: 'from ASDF’s source registry',
  quicklisp: 'from Quicklisp',
  qlot: 'from qlot',
  ocicl: 'from ocicl',
};

/** How a file of a system stands in the image, in words. */
export const COMPONENT_STATES = {
  loaded: 'loaded',
  changed: 'changed since it was loaded',
  failed: 'failed',
  new: 'not loaded',
} as const;

/** The facts of a system, such as "1.2, of this project, loaded". */
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

/** The name of a library tool. */
export function libraryTitle({ kind }: Pick<LibraryRecord, 'kind'>): string {
  return kind === 'quicklisp' ? 'Quicklisp' : kind;
}

/** The name of the system that was not found, in what ASDF says of a load that failed; null where that was not the cause. */
export function missingIn(message: string): string | null {
  return /\bComponent "?([^\s"]+)"? not found/.exec(message)?.[1] ?? null;
}

/** The system that a file belongs to: of those defined nearest above it, the one that its file is named for. */
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

/** The systems with a text in their names: the one that is called so, those that begin so, the others. */
export function matching(systems: readonly SystemRecord[], text: string): SystemRecord[] {
  const rank = ({ name }: SystemRecord): number => (name === text ? 0 : name.startsWith(text) ? 1 : 2);
  return systems.filter(({ name }) => name.includes(text)).toSorted((a, b) => rank(a) - rank(b));
}

/** The systems with those of the project before the others, each in the order in which they were. */
export function ownFirst(systems: readonly SystemRecord[]): SystemRecord[] {
  const isOwn = ({ origin }: SystemRecord): boolean => origin === 'project';
  return [...systems.filter(isOwn), ...systems.filter((system) => !isOwn(system))];
}

/** The progress of a run, such as "3 of 12 · compile shop/parts/part". */
export function progressWords({ done, total, action, component }: SystemProgress): string {
  const what = action === 'other' ? component : `${action} ${component}`;
  return `${done} of ${total}${what === '' ? '' : ` · ${what}`}`;
}

/** The outcome of tests in one sentence. */
export function testWords({ hasTests, success, passed, failed, skipped, total }: TestOutcome): string {
  if (!hasTests) return 'This system does not say how it is tested.';
  if (total === null) return success ? 'The tests ended without an error. They were not counted.' : 'The tests failed.';
  const parts = [
    `${passed ?? 0} passed`,
    `${failed ?? 0} failed`,
    (skipped ?? 0) > 0 ? `${skipped} skipped` : null,
  ].filter((part) => part !== null);
  return `${plural(total, 'check')}: ${parts.join(', ')}.`;
}
