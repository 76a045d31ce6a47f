/**
 * Groups effects that wait for the person by the card that they share: those of one kind that one evaluation waits for, and all
 * that a system has while it is loaded.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import { kindOf } from './subject.ts';

type Asked = Effect<'waiting' | 'settled'>;

/** The session whose image the effects are of. */
export interface SessionId {
  readonly id: string;
}

/** The most targets on one card, as a person can look through so many; further ones get a card of their own. */
const MOST_TARGETS = 500;

/** Effects that wait for one decision. */
export interface EffectGroup {
  readonly key: string;
  /** Effects by their ids. */
  readonly effects: Map<string, Effect<'waiting'>>;
  /** Handle of its card, once it has one. */
  id: string | null;
  /** The words about an effect that had changed when it was approved; null where none had. */
  notice: string | null;
  /** Fires when none of them waits any more. */
  readonly over: AbortController;
}

export class EffectGroups {
  /** Groups that more effects can join, by what these have in common. */
  readonly #open = new Map<string, EffectGroup>();
  /** The group of each effect that waits, by the effect's id. */
  readonly #groupOf = new Map<string, EffectGroup>();

  waits(effect: string): boolean {
    return this.#groupOf.has(effect);
  }

  /** Returns the handle of the card that asks about an effect; null while there is none. */
  cardOf(effect: string): string | null {
    return this.#groupOf.get(effect)?.id ?? null;
  }

  /** Adds the effect to the group of its like, `configures` as its policy's request has it; null where there is none that it can join. */
  join(session: SessionId, effect: Effect<'waiting'>, configures: string | null = null): EffectGroup | null {
    const group = this.#open.get(groupKeyOf(session, effect, configures));
    if (!group || group.effects.size >= MOST_TARGETS) return null;
    this.#add(group, effect);
    return group;
  }

  /** Begins the group that effects like this one join from now on. */
  begin(session: SessionId, effect: Effect<'waiting'>, configures: string | null = null): EffectGroup {
    const key = groupKeyOf(session, effect, configures);
    const group: EffectGroup = { key, effects: new Map(), id: null, notice: null, over: new AbortController() };
    this.#open.set(key, group);
    this.#add(group, effect);
    return group;
  }

  /** Closes a group to further effects: its card is decided, or the effects that come get another one. */
  close(group: EffectGroup): void {
    if (this.#open.get(group.key) === group) this.#open.delete(group.key);
  }

  /** The effect waits no longer. Returns the group that it was in, closed and over once that is empty; null for one of none. */
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

  /** Takes the effect out of its group, to be asked about by itself. */
  remove(group: EffectGroup, effect: string): void {
    group.effects.delete(effect);
    this.#groupOf.delete(effect);
  }

  #add(group: EffectGroup, effect: Effect<'waiting'>): void {
    group.effects.set(effect.effect, effect);
    this.#groupOf.set(effect.effect, group);
  }
}

/** Names the load of a system in an evaluation that an effect is part of. */
export function loadKeyOf({ id }: SessionId, { evaluation, effect, system }: Asked): string {
  return JSON.stringify([id, evaluation ?? effect, system]);
}

/** Names the thread that an effect happens in. */
export function threadKeyOf({ id }: SessionId, { evaluation, thread }: Asked): string {
  return JSON.stringify([id, evaluation, thread]);
}

/** Names all that a yes to the load of a system is for; else all that differs in the target alone. Code of no evaluation is asked about by itself. */
function groupKeyOf({ id }: SessionId, effect: Asked, configures: string | null): string {
  return JSON.stringify([id, effect.evaluation ?? effect.effect, kindOf(effect, configures)]);
}
