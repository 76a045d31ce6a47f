/** Rows of a keymap: keys in a context, and the command that they run. */
import type { Binding } from './key-sequences.ts';

export interface KeymapBinding extends Binding {
  /** Commands to try if the first one does not exist or cannot run. */
  readonly otherwise: readonly string[];
  /** The command's name if the command does not exist yet; null for the keys of existing commands. */
  readonly title: string | null;
}

/**
 * Keys, a command, and the command's name if it does not exist yet. The keys of a missing command only show a message. If several commands
 * are listed, the first one that can run is run.
 */
export type Row = readonly [keys: string, command: string | readonly string[], title?: string];

/** Returns the rows of a context as bindings. `read` converts their key notation. */
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
