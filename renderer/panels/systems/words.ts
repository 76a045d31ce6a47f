/** Systems in words: where they come from, how far a run is, how tests went. */
import { plural } from '#contract/text.ts';
import type { SystemProgress, SystemRecord, TestOutcome } from '#contract/system.ts';

const ORIGINS: Record<SystemRecord['origin'], string> = {
  project: 'of this project',
  registry: 'from ASDF’s source registry',
  quicklisp: 'from Quicklisp',
  qlot: 'from qlot',
  ocicl: 'from ocicl',
};

/** The facts of a system, such as "1.2, of this project, loaded". */
export function systemFacts({ version, origin, loaded }: SystemRecord): string {
  return [version === null ? null : `version ${version}`, ORIGINS[origin], loaded ? 'loaded' : null]
    .filter((part) => part !== null)
    .join(', ');
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
