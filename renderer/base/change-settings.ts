/** Functions that change the person's settings. */
import type { Settings } from '#contract/settings.ts';
import { call } from './bridge.ts';
import { orNotice } from './notices/notices.tsx';

/** Changes some settings with immediate effect. Shows a notice if the new values are invalid. */
export function changeSettings(part: Partial<Settings>): void {
  void orNotice(call('settings.change', part));
}
