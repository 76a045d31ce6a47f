/** The tokens by which clients are known: how they are made, and how they are kept out of what is answered. */
import { randomBytes } from 'node:crypto';

const TOKEN_OCTETS = 32;
const PREFIX = 'lwb_';
/** Tokens, and the parts of one that are left where a text was cut. */
const TOKENS = /lwb_[A-Za-z0-9_-]+/g;
const MASKED = `${PREFIX}•••`;

export function newToken(): string {
  return `${PREFIX}${randomBytes(TOKEN_OCTETS).toString('base64url')}`;
}

/**
 * The value without tokens of ours in any string of it. A client's configuration may lie in the project with its token, and
 * whoever read that could pose as this client. Code that a client evaluates can still take a text apart before it prints it.
 */
export function maskTokens<Value>(value: Value): Value {
  return masked(value) as Value;
}

/** The parts of a text that are no token, with where they begin: what a passage may be looked for in. */
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
