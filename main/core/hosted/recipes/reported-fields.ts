/** Reads the calls that agents report, which are untyped records. */
import type { RecognisedCall } from './recipe.ts';

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the call of a tool whose full name begins with its server's prefix; null if the name has another prefix. */
export function callByPrefix(name: unknown, prefix: string, input: unknown): RecognisedCall | null {
  const full = textOf(name);
  if (full === null || !full.startsWith(prefix) || full.length === prefix.length) return null;
  return { tool: full.slice(prefix.length), arguments: recordOf(input) };
}
