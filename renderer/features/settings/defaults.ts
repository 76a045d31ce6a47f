/** The way back to the settings of a person who never chose any. */
import type { Settings } from '#contract/settings.ts';
import { mirror } from '../../base/mirror.ts';
import { changeSettings } from '../../base/change-settings.ts';

/** Returns those of the settings `names` that are not as they are without a choice. */
export function changedOf(settings: Settings, names: readonly (keyof Settings)[]): (keyof Settings)[] {
  const { defaultSettings } = mirror.getState();
  return names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(defaultSettings[name]));
}

/** Takes the choice of the settings `names` back. */
export function resetSettings(names: readonly (keyof Settings)[]): void {
  const { defaultSettings } = mirror.getState();
  changeSettings(Object.fromEntries(names.map((name) => [name, defaultSettings[name]])));
}
