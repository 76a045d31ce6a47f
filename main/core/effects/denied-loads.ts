/**
 * Loads of systems that the person has denied to reach outside: the rest of what they try is denied without a card, until the
 * evaluation that loads them is over.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import type { Session } from '#core/sessions/session.ts';
import { loadKeyOf, type SessionId } from './grouping.ts';

type Loading = SessionId & Pick<Session, 'events' | 'underway'>;

export class DeniedLoads {
  /** The person's reason, by load. */
  readonly #reasons = new Map<string, string>();

  /** Says why the load that the effect is part of may not reach outside; null while the person has not denied it. */
  reasonFor(session: Loading, effect: Effect<'waiting'>): string | null {
    return effect.definedBy === null ? (this.#reasons.get(loadKeyOf(session, effect)) ?? null) : null;
  }

  /** Takes the person's no to an effect for its whole load, where it is part of one. */
  deny(session: Loading, effect: Effect<'waiting'>, reason: string): void {
    const { evaluation, system, definedBy } = effect;
    if (evaluation === null || system === null || definedBy !== null) return;
    const key = loadKeyOf(session, effect);
    this.#reasons.set(key, reason);
    const stop = session.events.on('changed', () => {
      if (session.underway.some((turn) => turn.evaluation === evaluation)) return;
      stop();
      this.#reasons.delete(key);
    });
  }
}
