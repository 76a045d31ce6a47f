/**
 * Bindings of key sequences to commands, each in a context or everywhere, and the lookup of pressed keys. Pure. A context is an area of the
 * window, such as `Editor`. The focus is usually in several contexts, the innermost first.
 */
import { compare, type KeyPress, readStroke, type Stroke, strokesOf } from '../../ui/menus/key-strokes.ts';

export interface Binding {
  readonly keys: string;
  /** The context in which the binding applies; null for everywhere. */
  readonly in: string | null;
  readonly command: string;
}

/** A binding with parsed keys. */
export interface ReadBinding extends Binding {
  readonly strokes: readonly Stroke[];
}

export function readBinding<Kind extends Binding>(binding: Kind): Kind & ReadBinding {
  return { ...binding, strokes: strokesOf(binding.keys).map(readStroke) };
}

/** `begun`: the pressed keys are the start of a longer sequence. */
export type Meaning<Kind> =
  | { readonly kind: 'command'; readonly binding: Kind }
  | { readonly kind: 'begun' }
  | { readonly kind: 'none' };

/**
 * Returns the meaning of the pressed strokes. Bindings by character take precedence over bindings by key position, and inner contexts over
 * outer ones. Among bindings of the same keys, the first one that may act wins; if none may, the first one.
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

/** True if `strokes` begin with the pressed keys. With `key`, only characters are compared. */
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
 * Returns descriptions of the faults in a keymap. Keys must not have two meanings in one context. A command's keys must not also start a
 * longer sequence in that context or everywhere. @internal Exported for its test.
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
 * Adds the bindings of one keymap on top of another's. A lower binding is left out if the upper keymap binds the same keys, a longer
 * sequence that starts with them, or a shorter sequence with which they start.
 */
export function layered<Kind extends Binding>(above: readonly Kind[], below: readonly Kind[]): Kind[] {
  const covered = (under: Kind): boolean =>
    above.some((over) => {
      // An upper binding that applies in one context does not change the meaning of the keys in other contexts.
      if (over.in !== under.in && over.in !== null) return false;
      const [one, other] = [sameKeys(over.keys), sameKeys(under.keys)];
      return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
    });
  return [...above, ...below.filter((under) => !covered(under))];
}

/** Characters that need Shift on most keyboards, so that stating Shift with them is redundant. */
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

/** Normalizes the spelling of keys, so that the same keys are written the same on Linux and Windows. @internal Exported for tests. */
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
