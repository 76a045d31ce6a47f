/**
 * Groups effects that wait for the person; each group has one card. Effects of the same kind in the same evaluation share a card. All
 * effects of a system that is being loaded also share a card.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import { kindOf } from './subject.ts';

type Asked = Effect<'waiting' | 'settled'>;

/** The session in whose image the effects happen. */
export interface SessionId {
  readonly id: string;
}

/** The maximum number of targets on one card, so that a person can review them. Further targets get another card. */
const MOST_TARGETS = 500;

/** Effects that wait for the same decision. */
export interface EffectGroup {
  readonly key: string;
  /** The effects, keyed by id. */
  readonly effects: Map<string, Effect<'waiting'>>;
  /** The card's handle; null until the card exists. */
  id: string | null;
  /** The text about an effect that had changed before its approval; null if there is none. */
  notice: string | null;
  /** Aborted when there is no waiting effect left in the group. */
  readonly over: AbortController;
}

export class EffectGroups {
  /** Groups to which more effects can be added, by key. */
  readonly #open = new Map<string, EffectGroup>();
  /** The group of each waiting effect, by effect id. */
  readonly #groupOf = new Map<string, EffectGroup>();

  waits(effect: string): boolean {
    return this.#groupOf.has(effect);
  }

  /** Returns the handle of the card that asks about an effect; null if there is no card. */
  cardOf(effect: string): string | null {
    return this.#groupOf.get(effect)?.id ?? null;
  }

  /**
   * Adds the effect to the open group for its kind. Returns null if there is no such group. `configures` is the sentence in the effect's
   * policy request.
   */
  join(session: SessionId, effect: Effect<'waiting'>, configures: string | null = null): EffectGroup | null {
    const group = this.#open.get(groupKeyOf(session, effect, configures));
    if (!group || group.effects.size >= MOST_TARGETS) return null;
    this.#add(group, effect);
    return group;
  }

  /** Creates a group, to which similar effects are added later. */
  begin(session: SessionId, effect: Effect<'waiting'>, configures: string | null = null): EffectGroup {
    const key = groupKeyOf(session, effect, configures);
    const group: EffectGroup = { key, effects: new Map(), id: null, notice: null, over: new AbortController() };
    this.#open.set(key, group);
    this.#add(group, effect);
    return group;
  }

  /** Closes a group, so that no more effects are added to it: its card has been decided, or later effects get another card. */
  close(group: EffectGroup): void {
    if (this.#open.get(group.key) === group) this.#open.delete(group.key);
  }

  /**
   * Removes an effect that is no longer waiting, and returns its group; null if it had none. If the group is then empty, it is closed and
   * its signal is aborted.
   */
  leave(effect: string): EffectGroup | null {
    const group = this.#groupOf.get(effect);
    if (!group) return null;
    this.remove(group, effect);
    if (group.effects.size === 0) {
      this.close(group);
      group.over.abort();
    }
    return group;
  }

  /** Removes the effect from its group, so that it gets its own question. */
  remove(group: EffectGroup, effect: string): void {
    group.effects.delete(effect);
    this.#groupOf.delete(effect);
  }

  #add(group: EffectGroup, effect: Effect<'waiting'>): void {
    group.effects.set(effect.effect, effect);
    this.#groupOf.set(effect.effect, group);
  }
}

/** Returns a key for the system load to which an effect belongs, within one evaluation. */
export function loadKeyOf({ id }: SessionId, { evaluation, effect, system }: Asked): string {
  return JSON.stringify([id, evaluation ?? effect, system]);
}

/** Returns a key for the thread in which an effect happens. */
export function threadKeyOf({ id }: SessionId, { evaluation, thread }: Asked): string {
  return JSON.stringify([id, evaluation, thread]);
}

/**
 * Returns the key of an effect's group. Effects have the same key if they belong to a system load that one approval covers, or if they
 * differ only in the target. Code outside any evaluation gets a unique key, so that it is asked about separately.
 */
function groupKeyOf({ id }: SessionId, effect: Asked, configures: string | null): string {
  return JSON.stringify([id, effect.evaluation ?? effect.effect, kindOf(effect, configures)]);
}
