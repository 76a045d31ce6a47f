/** The id of an actor: `person`, or `client:` and the client's name in lower case. */

const PREFIX = 'client:';

export function clientId(name: string): string {
  return `${PREFIX}${name.toLowerCase()}`;
}

/** The name in a client's id, for a client that is not known any more. */
export function nameInId(id: string): string {
  if (id === UNKNOWN_CLIENT) return 'unknown author';
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

/** The actor of code that no evaluation ran and nobody is known to have written, such as a finalizer's. */
export const UNKNOWN_CLIENT = clientId('unknown');
