/** All attacks by code. */
import type { EffectAttack, ListedAttack, StateAttack } from './attack.ts';
import { compiler } from './cases/compiler.ts';
import { savedImages } from './cases/saved-images.ts';
import { undone } from './cases/undone.ts';

export const EFFECT_ATTACKS: readonly EffectAttack[] = [...compiler, ...savedImages, ...undone];

export const STATE_ATTACKS: readonly StateAttack[] = [
  {
    finding: 16,
    trick: 'the current package',
    agent: ['(make-package "ELSEWHERE")', '(in-package "ELSEWHERE")'],
    probe: '(package-name *package*)',
  },
];

export const LISTED_ATTACKS: readonly ListedAttack[] = [
  {
    finding: 16,
    trick: 'a redefined function',
    agent: ['(defun greeting () 2)'],
    probe: '(if (fboundp (quote greeting)) (funcall (quote greeting)) 1)',
    name: 'GREETING',
  },
];
