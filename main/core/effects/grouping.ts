/** What effects have in common: the card that they share, the load that they belong to, the thread that they come from. */
import type { EffectRecord } from '#contract/effect.ts';
import { kindOf } from './subject.ts';

/** Of a system all that a yes to its load is for; else what differs in its target alone. Code of no evaluation is asked about by itself. */
export function groupKeyOf({ id }: { readonly id: string }, record: EffectRecord): string {
  return JSON.stringify([id, record.evaluation ?? record.effect, kindOf(record)]);
}

export function loadKeyOf({ id }: { readonly id: string }, { evaluation, effect, system }: EffectRecord): string {
  return JSON.stringify([id, evaluation ?? effect, system]);
}

export function threadKeyOf({ id }: { readonly id: string }, { evaluation, thread }: EffectRecord): string {
  return JSON.stringify([id, evaluation, thread]);
}
