/** The actors that always exist; all others are clients. */
import type { Actor } from '#contract/image/session.ts';

export const PERSON = { id: 'person', kind: 'person', name: 'you' } as const;

/** The person in their own Emacs, connected through SWANK. */
export const EMACS = { id: 'emacs', kind: 'person', name: 'Emacs (SWANK)' } as const;

/** The workbench itself, as the actor of actions that no person or client requested. */
export const WORKBENCH = { id: 'workbench', kind: 'workbench', name: 'workbench' } as const;

/** Returns true if this actor id belongs to the person, in any program. */
export function isPersonId(id: string | null): boolean {
  return id === PERSON.id || id === EMACS.id;
}

/** Returns the actor with this id if it is not a client; null otherwise. */
export function knownActor(id: string | null): Actor | null {
  return [PERSON, EMACS, WORKBENCH].find((actor) => actor.id === id) ?? null;
}
