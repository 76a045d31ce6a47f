/** Texts about the requests that are waiting for a decision. Pure. */
import type { Session } from '#contract/image/session.ts';
import { elapsed } from '../../ui/time.ts';

/** Returns "waits for you in DELETE-FILE" and "0:14" for the request that has been waiting longest; null if there is none. */
export function waitsWords(effects: Session['effects'], now: number): { words: string; time: string } | null {
  const [first] = effects;
  if (!first) return null;
  const more = effects.length > 1 ? ` and ${effects.length - 1} more` : '';
  return { words: `waiting for you in ${operatorName(first.operator)}${more}`, time: elapsed(now - first.since) };
}

/** Returns an operator's name without its package: `RUN-PROGRAM` for `SB-EXT:RUN-PROGRAM`. */
export function operatorName(operator: string): string {
  return operator.slice(operator.lastIndexOf(':') + 1);
}
