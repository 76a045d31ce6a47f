/** Who an actor is to the eye: the person, or a client with its hue and name. */
import type { Actor } from '#contract/session.ts';
import type { ClientRecord } from '#contract/client.ts';
import { useMirror } from '../mirror.ts';

/** The hue of an actor: null for the person; a client that is not known any more has one by its name. */
export function hueFor(actor: { id: string; name?: string }, clients: readonly ClientRecord[]): number | null {
  if (actor.id === 'person') return null;
  const known = clients.find(
    (client) => client.id === actor.id || `client:${client.id}` === actor.id || client.name === actor.name,
  );
  if (known) return known.hue;
  let sum = 0;
  for (const char of actor.name ?? actor.id) sum += char.codePointAt(0)!;
  return (sum % 4) + 1;
}

export function useHue(actor: Actor): number | null {
  return useMirror((state) => hueFor(actor, state.clients));
}

/** The name of an actor id (`person`, `client:…`) as lists show it. */
export function nameOf(id: string, clients: readonly ClientRecord[]): string {
  if (id === 'person') return 'you';
  return clients.find((client) => client.id === id || `client:${client.id}` === id)?.name ?? id.replace(/^client:/, '');
}
