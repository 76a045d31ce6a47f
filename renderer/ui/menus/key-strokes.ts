/**
 * Keys as text. A stroke is written `Ctrl+Shift+P`; a sequence has spaces between its strokes, as in `Control+X Control+E`. This file
 * parses keys, compares key events with them, and formats them for display.
 */

export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** A stroke parsed from its text. */
export interface Stroke {
  /** Ctrl, or Cmd on macOS. */
  readonly primary: boolean;
  /** Ctrl on every system. */
  readonly control: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);

/** How an event matches a stroke: by the character of its key, or only by the key's position on the keyboard; null if it does not match. */
export type Match = 'key' | 'place' | null;

/** Compares an event with a stroke. `Ctrl` means Cmd on macOS, `Control` does not. */
export function compare(stroke: Stroke, event: KeyPress, mac = isMac): Match {
  const ctrl = stroke.control || (!mac && stroke.primary);
  const meta = mac && stroke.primary;
  if (event.ctrlKey !== ctrl || event.metaKey !== meta || event.altKey !== stroke.alt) return null;
  const typed = nameOf(event);
  const sameShift = event.shiftKey === stroke.shift;
  if (typed === stroke.key && (sameShift || (!stroke.shift && isSign(typed)))) return 'key';
  return sameShift && placesOf(stroke, event.key).includes(event.code) ? 'place' : null;
}

/** True if an event matches the stroke `keys`. @internal Exported for its test. */
export function matches(keys: string, event: KeyPress, mac = isMac): boolean {
  return compare(readStroke(keys), event, mac) !== null;
}

/** Returns the strokes of a sequence, in order. */
export function strokesOf(keys: string): string[] {
  return keys.split(' ');
}

export function readStroke(keys: string): Stroke {
  const parts = keys.split('+');
  return {
    primary: parts.includes('Ctrl'),
    control: parts.includes('Control'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
    key: lastOf(keys).toLowerCase(),
  };
}

/** Returns the labels of the key caps of a stroke, in order. */
export function keyLabels(keys: string, mac = isMac): string[] {
  const { primary, control, alt, shift } = readStroke(keys);
  return [
    ...(control ? [mac ? '⌃' : 'Ctrl'] : []),
    ...(primary ? [mac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [mac ? '⌥' : 'Alt'] : []),
    ...(shift ? [mac ? '⇧' : 'Shift'] : []),
    ARROWS[lastOf(keys)] ?? lastOf(keys),
  ];
}

/** Returns a sequence as text for display, such as `Ctrl+X Ctrl+E`. */
export function keyText(keys: string, mac = isMac): string {
  return strokesOf(keys)
    .map((stroke) => keyLabels(stroke, mac).join('+'))
    .join(' ');
}

/**
 * Returns an event's stroke as text. Shift is written before letters and named keys, but not before punctuation, whose characters already
 * imply it.
 */
export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress, mac = isMac): string {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
  return [
    ...(ctrlKey ? ['Control'] : []),
    ...(metaKey ? [mac ? 'Ctrl' : 'Meta'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && !isSign(key.toLowerCase()) ? ['Shift'] : []),
    name,
  ].join('+');
}

/** True for a modifier key. */
export function isModifier(key: string): boolean {
  return ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'OS'].includes(key);
}

const EMACS_NAMES: Readonly<Record<string, string>> = {
  SPC: 'Space',
  RET: 'Enter',
  TAB: 'Tab',
  DEL: 'Backspace',
  '<left>': 'ArrowLeft',
  '<right>': 'ArrowRight',
  '<up>': 'ArrowUp',
  '<down>': 'ArrowDown',
  '<home>': 'Home',
  '<end>': 'End',
  '<delete>': 'Delete',
  '<next>': 'PageDown',
  '<prior>': 'PageUp',
};

/** Converts a sequence in Emacs's notation, such as `C-x C-e` or `C-M-<right>`, to the notation used here. Meta is Alt. */
export function fromEmacs(sequence: string): string {
  return strokesOf(sequence)
    .map((stroke) => {
      const [, modifiers, name] = /^((?:[CMS]-)*)(.+)$/.exec(stroke) as unknown as [string, string, string];
      const shift = modifiers.includes('S-') || (name.length === 1 && /[A-Z]/.test(name));
      return [
        ...(modifiers.includes('C-') ? ['Control'] : []),
        ...(modifiers.includes('M-') ? ['Alt'] : []),
        ...(shift ? ['Shift'] : []),
        EMACS_NAMES[name] ?? name.toUpperCase(),
      ].join('+');
    })
    .join(' ');
}

/** Punctuation that can be typed without Shift on most keyboards. Shift together with such a character is therefore a separate key. */
const UNSHIFTED = ".,;=-[]/'\\`";

/** Converts keys to Emacs's notation. For a capital letter, or punctuation typed with Shift, Shift is not written. */
export function toEmacs(keys: string): string {
  return strokesOf(keys)
    .map((text) => {
      const { primary, control, alt, shift, key } = readStroke(text);
      const name = Object.keys(EMACS_NAMES).find((each) => EMACS_NAMES[each]!.toLowerCase() === key) ?? key;
      const isLetter = /^[a-z]$/.test(key);
      return `${primary || control ? 'C-' : ''}${alt ? 'M-' : ''}${shift && !isLetter && (!isSign(key) || UNSHIFTED.includes(key)) ? 'S-' : ''}${shift && isLetter ? key.toUpperCase() : name}`;
    })
    .join(' ');
}

const ARROWS: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Returns the key of a stroke without its modifiers. The key may be `+` itself. */
function lastOf(keys: string): string {
  return keys.endsWith('+') ? '+' : keys.slice(keys.lastIndexOf('+') + 1);
}

function nameOf({ key }: KeyPress): string {
  return key === ' ' ? 'space' : key.toLowerCase();
}

/** True for a character that is neither a letter nor a digit. Some keyboards need Shift for it and others do not. */
function isSign(key: string): boolean {
  return key.length === 1 && !/[a-z0-9]/.test(key);
}

/**
 * Returns the physical keys that match a stroke, for layouts and modifiers that produce another character. Letters and digits match by
 * position only if the layout has no ASCII character there. Digits with Shift also match by position, because Shift turns them into
 * punctuation.
 */
function placesOf({ key, shift }: Stroke, typed: string): string[] {
  const codes: Record<string, string> = {
    '`': 'Backquote',
    '.': 'Period',
    ',': 'Comma',
    '/': 'Slash',
    '?': 'Slash',
    '\\': 'Backslash',
    space: 'Space',
  };
  if (codes[key] !== undefined) return [codes[key]];
  if (shift && /^\d$/.test(key)) return [`Digit${key}`];
  if (typed !== 'Dead' && !(typed.length === 1 && typed > '\u007F')) return [];
  return /^[a-z]$/.test(key) ? [`Key${key.toUpperCase()}`] : /^\d$/.test(key) ? [`Digit${key}`] : [];
}
