/** The settings in their order, and the notes under their headings. */
import type { ReactNode } from 'react';
import { AGENTS } from './agents.tsx';
import { APPEARANCE } from './appearance.tsx';
import { DOCUMENTATION } from './documentation.tsx';
import type { SettingEntry } from './entry.ts';
import { EVALUATION } from './evaluation.tsx';
import { IMAGES, ImagesNote } from './images.tsx';
import { LIBRARIES } from './libraries.tsx';
import { TYPING } from './typing.tsx';

export const SETTINGS: readonly SettingEntry[] = [
  ...APPEARANCE,
  ...TYPING,
  ...EVALUATION,
  ...IMAGES,
  ...LIBRARIES,
  ...DOCUMENTATION,
  ...AGENTS,
];

/** The notes under headings, by heading. */
export const NOTES: Readonly<Record<string, ReactNode>> = { Images: <ImagesNote /> };
