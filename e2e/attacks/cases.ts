/** All attacks by code. */
import type { EffectAttack, ListedAttack, StateAttack } from './attack.ts';
import { ambientListed, ambientState } from './cases/ambient.ts';
import { compiledFiles } from './cases/compiled-files.ts';
import { compiler } from './cases/compiler.ts';
import { savedImages } from './cases/saved-images.ts';
import { systems } from './cases/systems.ts';
import { undone } from './cases/undone.ts';

export const EFFECT_ATTACKS: readonly EffectAttack[] = [
  ...undone,
  ...compiledFiles,
  ...savedImages,
  ...compiler,
  ...systems,
];
export const STATE_ATTACKS: readonly StateAttack[] = [...ambientState];
export const LISTED_ATTACKS: readonly ListedAttack[] = [...ambientListed];
