/** The actors that are always there; the others are clients. */
import type { Actor } from '#contract/image/session.ts';

export const PERSON = { id: 'person', kind: 'person', name: 'you' } as const;

/** The person at their own Emacs, which is connected through SWANK. */
export const EMACS = { id: 'emacs', kind: 'person', name: 'Emacs (SWANK)' } as const;

/** The workbench itself, which does what nobody asked for. */
export const WORKBENCH = { id: 'workbench', kind: 'workbench', name: 'workbench' } as const;

/** True when an actor of this id is the person, at whatever program. */
export function isPersonId(id: string | null): boolean {
  return id === PERSON.id || id === EMACS.id;
}

/** The actor of this id where it is none of a client; null otherwise. */
export function knownActor(id: string | null): Actor | null {
  return [PERSON, EMACS, WORKBENCH].find((actor) => actor.id === id) ?? null;
}
