/**
 * System loads for which the person has denied an effect. All later effects of such a load are denied without a card until its evaluation
 * is over.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import type { Session } from '#core/sessions/session.ts';
import { loadKeyOf, type SessionId } from './grouping.ts';

type Loading = SessionId & Pick<Session, 'events' | 'underway'>;

export class DeniedLoads {
  /** The person's reasons for the denials, by system load. */
  readonly #reasons = new Map<string, string>();

  /** Returns the reason why effects of this effect's load are denied; null if the person has not denied any of them. */
  reasonFor(session: Loading, effect: Effect<'waiting'>): string | null {
    return effect.definedBy === null ? (this.#reasons.get(loadKeyOf(session, effect)) ?? null) : null;
  }

  /** Applies the person's denial of an effect to the whole load to which the effect belongs, if any. */
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
