/** The id of an actor: `person`, or `client:` followed by the client's name in lower case. */

const PREFIX = 'client:';

export function clientId(name: string): string {
  return `${PREFIX}${name.toLowerCase()}`;
}

/** Returns the client's name in an id; works also for clients that no longer exist. */
export function nameInId(id: string): string {
  if (id === UNKNOWN_CLIENT) return 'unknown author';
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

/** The actor of code that no evaluation ran and whose author is unknown, such as a finalizer. */
export const UNKNOWN_CLIENT = clientId('unknown');
