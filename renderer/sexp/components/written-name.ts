/** Writes the names of components in the style of existing ones. Pure. */
import type { Form } from '#contract/sexp/reader.ts';

/** The names that a symbol can stand for without bars. */
const PLAIN = /^[a-z][a-z0-9*+_.-]*[a-z0-9*+_-]$|^[a-z]$/;

/** Returns a name as a symbol if the existing name is a symbol and the new one can be one too; otherwise as a string. */
export function writtenName(text: string, like: Form | null, name: string): string {
  const prefix = like?.kind === 'atom' ? /^(?:#?:)?(?!\|)/.exec(text.slice(like.start, like.end))?.[0] : undefined;
  if (prefix !== undefined && PLAIN.test(name)) return `${prefix}${name}`;
  return `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
}
