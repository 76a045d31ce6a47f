/** Keys as text (`Ctrl+Shift+P`): reading them, telling whether a key event is one, and how they are shown. */

export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

interface Chord {
  primary: boolean;
  alt: boolean;
  shift: boolean;
  key: string;
}

const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);

/** Whether an event is the chord. `Ctrl` means Cmd on macOS. */
export function matches(keys: string, event: KeyPress, mac = isMac): boolean {
  const chord = parse(keys);
  const primary = mac ? event.metaKey : event.ctrlKey;
  const foreign = mac ? event.ctrlKey : event.metaKey;
  if (foreign || primary !== chord.primary || event.altKey !== chord.alt || event.shiftKey !== chord.shift)
    return false;
  return event.key.toLowerCase() === chord.key || codeOf(chord.key) === event.code;
}

/** The first binding that an event presses and that may act now. */
export function find<Binding extends { keys: string }>(
  bindings: readonly Binding[],
  event: KeyPress,
  active: (binding: Binding) => boolean,
  mac = isMac,
): Binding | null {
  return bindings.find((binding) => matches(binding.keys, event, mac) && active(binding)) ?? null;
}

/** Labels of the caps, in order. */
export function keyLabels(keys: string, mac = isMac): string[] {
  const { primary, alt, shift } = parse(keys);
  const last = keys.endsWith('+') ? '+' : keys.slice(keys.lastIndexOf('+') + 1);
  return [
    ...(primary ? [mac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [mac ? '⌥' : 'Alt'] : []),
    ...(shift ? [mac ? '⇧' : 'Shift'] : []),
    last,
  ];
}

function parse(keys: string): Chord {
  const parts = keys.split('+');
  const key = parts[parts.length - 1] === '' ? '+' : (parts[parts.length - 1] ?? '');
  return {
    primary: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
    key: key.toLowerCase(),
  };
}

/** Physical keys, for layouts and modifiers that make another character of them. */
function codeOf(key: string): string | null {
  if (/^[a-z]$/.test(key)) return null;
  const codes: Record<string, string> = {
    '`': 'Backquote',
    '.': 'Period',
    ',': 'Comma',
    '/': 'Slash',
    '?': 'Slash',
    '\\': 'Backslash',
  };
  return codes[key] ?? null;
}
