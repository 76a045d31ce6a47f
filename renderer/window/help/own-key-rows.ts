/** The editor's own keys, without those that the keymap uses for other commands. Pure. */
import type { Binding } from '../../base/keys/key-sequences.ts';
import { layered } from '../../base/keys/key-sequences.ts';

interface Own {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

/** The contexts that apply while the editor's text has the focus. */
const IN_EDITOR: ReadonlySet<string | null> = new Set([null, 'Editor', 'Text', 'Editor text']);

export function layeredOwnKeys<Key extends Own>(bindings: readonly Binding[], own: readonly Key[]): Key[] {
  const taken = bindings
    .filter((binding) => IN_EDITOR.has(binding.in))
    .map(({ keys, command }) => ({ keys, command, in: null }));
  const reaching = layered<Binding>(
    taken,
    own.map(({ id, keys }) => ({ keys, command: id, in: null })),
  ).slice(taken.length);
  const kept = new Set(reaching.map(({ keys, command }) => `${command} ${keys}`));
  return own.filter(({ id, keys }) => kept.has(`${id} ${keys}`));
}
