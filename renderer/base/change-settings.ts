/** Changes of the person's settings. */
import type { Settings } from '#contract/settings.ts';
import { call } from './bridge.ts';
import { orNotice } from './notices/notices.tsx';

/** Changes some settings, which take effect at once; what is wrong with them is told in a notice. */
export function changeSettings(part: Partial<Settings>): void {
  void orNotice(call('settings.change', part));
}
