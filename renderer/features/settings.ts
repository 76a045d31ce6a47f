/** The person's settings: what they are without a choice, and how they are changed. */
import { settings as schema, type Settings } from '#contract/settings.ts';
import { call } from '../base/bridge.ts';
import { orNotice } from './notices.tsx';

/** The settings of a person who never chose any. */
const DEFAULTS: Settings = schema.parse({ version: 1 });

/** Changes some settings, which take effect at once; what is wrong with them is told in a notice. */
export function changeSettings(part: Partial<Settings>): void {
  void orNotice(call('settings.change', part));
}

/** Returns those of the settings `names` that are not as they are without a choice. */
export function changedOf(settings: Settings, names: readonly (keyof Settings)[]): (keyof Settings)[] {
  return names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(DEFAULTS[name]));
}

/** Takes the choice of the settings `names` back. */
export function resetSettings(names: readonly (keyof Settings)[]): void {
  changeSettings(Object.fromEntries(names.map((name) => [name, DEFAULTS[name]])));
}
