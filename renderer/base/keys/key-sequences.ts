/**
 * Bindings of sequences of strokes to commands, each in a context or everywhere, and the meaning of pressed keys. Pure. A context is a
 * part of the window, such as `Editor`; where the focus is, several hold at once, the innermost first.
 */
import { compare, type KeyPress, readStroke, type Stroke, strokesOf } from '../../ui/menus/key-strokes.ts';

export interface Binding {
  readonly keys: string;
  /** The context in which the keys mean this; null for everywhere. */
  readonly in: string | null;
  readonly command: string;
}

/** A binding whose keys have been read. */
export interface ReadBinding extends Binding {
  readonly strokes: readonly Stroke[];
}

export function readBinding<Kind extends Binding>(binding: Kind): Kind & ReadBinding {
  return { ...binding, strokes: strokesOf(binding.keys).map(readStroke) };
}

/** `begun`: what was pressed begins a longer sequence. */
export type Meaning<Kind> =
  | { readonly kind: 'command'; readonly binding: Kind }
  | { readonly kind: 'begun' }
  | { readonly kind: 'none' };

/**
 * The meaning of the strokes that were pressed one after the other. Characters go before places of keys, inner contexts before
 * outer ones, and of the bindings of the same keys the first that may act, or else the first.
 */
export function meaningOf<Kind extends ReadBinding>(
  bindings: readonly Kind[],
  pressed: readonly KeyPress[],
  contexts: readonly string[],
  mayAct: (binding: Kind) => boolean,
  mac?: boolean,
): Meaning<Kind> {
  for (const least of ['key', 'place'] as const) {
    const begun = bindings.filter((binding) => begins(binding.strokes, pressed, least, mac));
    const complete: Kind[] = [];
    for (const context of [...contexts, null]) {
      const here = begun.filter((binding) => binding.in === context);
      complete.push(...here.filter(({ strokes }) => strokes.length === pressed.length));
      if (complete.length === 0 && here.length > 0) return { kind: 'begun' };
    }
    const binding = complete.find(mayAct) ?? complete[0];
    if (binding) return { kind: 'command', binding };
  }
  return { kind: 'none' };
}

/** True when strokes are those that were pressed, or begin with them; with `key` only by their characters. */
export function begins(
  strokes: readonly Stroke[],
  pressed: readonly KeyPress[],
  least: 'key' | 'place',
  mac?: boolean,
): boolean {
  return (
    strokes.length >= pressed.length &&
    pressed.every((press, index) => {
      const match = compare(strokes[index]!, press, mac);
      return match === 'key' || (match !== null && least === 'place');
    })
  );
}

/**
 * The faults of a keymap, in words: keys that mean two things in one context, and keys of a command that also begin a longer
 * sequence, there or in a context further out. @internal Exported for its test.
 */
export function faultsOf(bindings: readonly Binding[]): string[] {
  const faults: string[] = [];
  for (const [index, one] of bindings.entries()) {
    for (const other of bindings.slice(index + 1)) {
      if (one.in === other.in && sameKeys(one.keys) === sameKeys(other.keys))
        faults.push(`${one.keys} is ${one.command} and ${other.command}${placeOf(one)}`);
    }
    for (const longer of bindings) {
      if ((longer.in === one.in || longer.in === null) && sameKeys(longer.keys).startsWith(`${sameKeys(one.keys)} `))
        faults.push(`${one.keys} is ${one.command}${placeOf(one)} and begins ${longer.keys}`);
    }
  }
  return faults;
}

/**
 * Bindings of one keymap on top of those of another: a binding below is left out where its keys mean something else above, or begin
 * something there, or begin with what is a command there.
 */
export function layered<Kind extends Binding>(above: readonly Kind[], below: readonly Kind[]): Kind[] {
  const covered = (under: Kind): boolean =>
    above.some((over) => {
      // What an inner context has above leaves the keys their meaning everywhere else.
      if (over.in !== under.in && over.in !== null) return false;
      const [one, other] = [sameKeys(over.keys), sameKeys(under.keys)];
      return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
    });
  return [...above, ...below.filter((under) => !covered(under))];
}

/** Signs that are typed with Shift on most keyboards, so that Shift beside them says nothing. */
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

/** Keys in a spelling that is the same for the same keys on Linux and Windows. @internal Exported for tests. */
export function sameKeys(keys: string): string {
  return strokesOf(keys)
    .map((text) => {
      const { primary, control, alt, shift, key } = readStroke(text);
      const held = [primary || control ? 'ctrl' : '', alt ? 'alt' : '', shift && !SHIFTED.includes(key) ? 'shift' : ''];
      return [...held, key].join('+');
    })
    .join(' ');
}

function placeOf(binding: Binding): string {
  return binding.in === null ? '' : ` in ${binding.in}`;
}
