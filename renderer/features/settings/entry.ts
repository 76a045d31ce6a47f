/** A setting in the dialog: its heading, its search words, its control, and the fields that *Reset* restores. */
import type { ReactNode } from 'react';
import type { Settings } from '#contract/settings.ts';
import type { Searched } from './found.ts';

export interface SettingEntry extends Searched {
  readonly id: string;
  /** The fields of the settings record that the setting changes. *Reset* restores them. */
  readonly names: readonly (keyof Settings)[];
  readonly draw: (settings: Settings) => ReactNode;
}
