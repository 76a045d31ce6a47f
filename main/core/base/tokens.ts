/** The tokens that identify clients: generates them, and removes them from answers. */
import { randomBytes } from 'node:crypto';

const TOKEN_OCTETS = 32;
const PREFIX = 'lwb_';
/** Matches tokens, including a token whose end was cut off. */
const TOKENS = /lwb_[A-Za-z0-9_-]+/g;
const MASKED = `${PREFIX}•••`;

export function newToken(): string {
  return `${PREFIX}${randomBytes(TOKEN_OCTETS).toString('base64url')}`;
}

/**
 * Returns the value with all our tokens masked in its strings. A client's configuration, with its token, may be stored in the project, and
 * anyone who reads the token could pose as this client. The protection is not complete: code that a client evaluates can split a text
 * before printing it.
 */
export function maskTokens<Value>(value: Value): Value {
  return masked(value) as Value;
}

/** Returns the sections of a text between tokens, with their offsets. A search in these sections cannot match a token. */
export function partsWithoutTokens(text: string): { readonly at: number; readonly text: string }[] {
  const parts: { at: number; text: string }[] = [];
  let at = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    parts.push({ at, text: text.slice(at, index) });
    at = index + token.length;
  }
  return [...parts, { at, text: text.slice(at) }];
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(PREFIX) ? value.replaceAll(TOKENS, MASKED) : value;
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each)]));
}
