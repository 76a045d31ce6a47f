/** The settings of documentation. */
import type { SettingEntry } from './entry.ts';
import { HyperspecChoice } from './hyperspec-choice.tsx';

export const DOCUMENTATION: readonly SettingEntry[] = [
  {
    id: 'hyperspec',
    group: 'Documentation',
    title: 'Folder or address of the HyperSpec',
    words: 'CLHS standard offline copy LispWorks',
    names: ['hyperspec'],
    draw: ({ hyperspec }) => <HyperspecChoice place={hyperspec} />,
  },
];
