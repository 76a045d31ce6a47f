/** Systems in words: where they come from, how far a run is, how tests went. */
import type { SystemProgress, SystemRecord, TestOutcome } from '#contract/system.ts';

const ORIGINS: Record<SystemRecord['origin'], string> = {
  project: 'of this project',
  registry: 'from ASDF’s source registry',
  quicklisp: 'from Quicklisp',
  qlot: 'from qlot',
  ocicl: 'from ocicl',
};

/** "1.2, of this project, loaded" */
export function systemFacts({ version, origin, loaded }: SystemRecord): string {
  return [version === null ? null : `version ${version}`, ORIGINS[origin], loaded ? 'loaded' : null]
    .filter((part) => part !== null)
    .join(', ');
}

/** "3 of 12 · compile shop/parts/part" */
export function progressWords({ done, total, action, component }: SystemProgress): string {
  const what = action === 'other' ? component : `${action} ${component}`;
  return `${done} of ${total}${what === '' ? '' : ` · ${what}`}`;
}

/** How tests went, in one sentence. */
export function testWords({ hasTests, success, passed, failed, skipped, total }: TestOutcome): string {
  if (!hasTests) return 'This system does not say how it is tested.';
  if (total === null) return success ? 'The tests ended without an error. They were not counted.' : 'The tests failed.';
  const parts = [
    `${passed ?? 0} passed`,
    `${failed ?? 0} failed`,
    (skipped ?? 0) > 0 ? `${skipped} skipped` : null,
  ].filter((part) => part !== null);
  return `${total} ${total === 1 ? 'check' : 'checks'}: ${parts.join(', ')}.`;
}
