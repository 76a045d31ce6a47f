/** The id of an actor: `person`, or `client:` and the client's name in lower case. */

const PREFIX = 'client:';

export function clientId(name: string): string {
  return `${PREFIX}${name.toLowerCase()}`;
}

/** The name in a client's id, for a client that is not known any more. */
export function nameInId(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

/** Whoever did something that is told of nobody. */
export const UNKNOWN_CLIENT = clientId('unknown');
