/** A setting of the dialog: where it stands, how it is found, drawn and reset. */
import type { ReactNode } from 'react';
import type { Settings } from '#contract/settings.ts';
import type { Searched } from './found.ts';

export interface SettingEntry extends Searched {
  readonly id: string;
  /** The settings of the record that it is about, which *Reset* takes back. */
  readonly names: readonly (keyof Settings)[];
  readonly draw: (settings: Settings) => ReactNode;
}
