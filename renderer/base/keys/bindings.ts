/** Rows of a keymap: keys in a context, and the command that they mean. */
import type { Binding } from './key-sequences.ts';

export interface KeymapBinding extends Binding {
  /** Commands that the keys mean where the first of them is not there or cannot run. */
  readonly otherwise: readonly string[];
  /** The command's name while no such command is there; null for keys of commands that are. */
  readonly title: string | null;
}

/**
 * Keys, the command, and its name for the case that it is not there yet: the keys then say so, and do nothing. Several commands
 * are tried in turn.
 */
export type Row = readonly [keys: string, command: string | readonly string[], title?: string];

/** The rows of a context as bindings. `read` changes their notation of keys. */
export function rowsIn(
  context: string | null,
  rows: readonly Row[],
  read: (keys: string) => string = (keys) => keys,
): KeymapBinding[] {
  return rows.map(([keys, command, title]) => {
    const [first, ...otherwise] = typeof command === 'string' ? [command] : command;
    return { keys: read(keys), in: context, command: first!, otherwise, title: title ?? null };
  });
}
