/** The appearance of an actor: the person, the workbench itself, or a client with its hue and name. */
import { nameInId } from '#contract/clients/actor-id.ts';
import { isPersonId, knownActor, WORKBENCH } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { ClientRecord } from '#contract/clients/client.ts';
import { useMirror } from './mirror.ts';

/** Returns the hue of an actor: null for the person, 0 for the workbench. The hue of an unknown client is derived from its name. */
export function hueFor(actor: { id: string; name?: string }, clients: readonly ClientRecord[]): number | null {
  if (isPersonId(actor.id)) return null;
  if (actor.id === WORKBENCH.id) return 0;
  const known = clients.find((client) => client.id === actor.id || client.name === actor.name);
  if (known) return known.hue;
  let sum = 0;
  for (const char of actor.name ?? actor.id) sum += char.codePointAt(0)!;
  return (sum % 4) + 1;
}

export function useHue(actor: Actor): number | null {
  return useMirror((state) => hueFor(actor, state.clients));
}

/** Returns the name that lists show for an actor id (`person`, `workbench`, `client:…`). */
export function nameOf(id: string, clients: readonly ClientRecord[]): string {
  const known = knownActor(id);
  if (known) return known.name;
  return clients.find((client) => client.id === id)?.name ?? nameInId(id);
}
