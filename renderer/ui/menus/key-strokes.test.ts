import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  compare,
  fromEmacs,
  isModifier,
  type KeyPress,
  keyLabels,
  keyText,
  matches,
  readStroke,
  strokeOf,
  toEmacs,
} from './key-strokes.ts';

const press = (key: string, held = '', code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('c'),
  metaKey: held.includes('m'),
  altKey: held.includes('a'),
  shiftKey: held.includes('s'),
});

describe('keys', () => {
  it.each<[string, KeyPress, boolean]>([
    ['Ctrl+Enter', press('Enter', 'c'), true],
    ['Ctrl+Enter', press('Enter', 'cs'), false],
    ['Ctrl+Enter', press('Enter'), false],
    ['Alt+Enter', press('Enter', 'a'), true],
    ['Ctrl+Shift+P', press('P', 'cs'), true],
    ['Ctrl+Shift+P', press('p', 'c'), false],
    ['Ctrl+`', press('Dead', 'c', 'Backquote'), true],
    ['Ctrl+Shift+.', press('>', 'cs', 'Period'), true],
    ['F6', press('F6'), true],
    ['F6', press('F6', 's'), false],
    ['Ctrl+O', press('o', 'm'), false],
    ['Escape', press('Escape'), true],
    ['Ctrl++', press('+', 'c'), true],
    ['Ctrl++', press('-', 'c'), false],
    ['Alt+P', press('p', 'c'), false],
    ['Alt+P', press('p'), false],
    ['F6', press('F6', 'a'), false],
    ['A', press('b', '', 'KeyB'), false],
  ])('The keys %s match the press %j: %s [D15]', (keys, event, expected) => {
    expect(matches(keys, event, false)).toBe(expected);
  });

  it('The keys of Ctrl mean Cmd on macOS [D15]', () => {
    expect([matches('Ctrl+O', press('o', 'm'), true), matches('Ctrl+O', press('o', 'c'), true)]).toEqual([true, false]);
  });

  it.each([
    ['Ctrl+`', 'Backquote'],
    ['Ctrl+.', 'Period'],
    ['Ctrl+,', 'Comma'],
    ['Ctrl+/', 'Slash'],
    ['Ctrl+?', 'Slash'],
    ['Ctrl+\\', 'Backslash'],
  ])('The keys %s match the physical key %s, whatever character the layout makes of it [D15]', (keys, code) => {
    expect([matches(keys, press('Dead', 'c', code), false), matches(keys, press('Dead', 'c', 'KeyQ'), false)]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['Meta', 'other systems', false, 'cm', 'm'],
    ['Ctrl', 'macOS', true, 'mc', 'c'],
  ])(
    'No keys match while %s is held, which on %s belongs to the system [D15]',
    (_modifier, _system, mac, both, alone) => {
      expect([matches('Ctrl+O', press('o', both), mac), matches('F6', press('F6', alone), mac)]).toEqual([
        false,
        false,
      ]);
    },
  );

  it.each<[string, KeyPress, boolean, boolean, string]>([
    ['Control+X', press('x', 'c'), true, true, 'Ctrl on every system'],
    ['Control+X', press('x', 'm'), false, false, 'not Cmd'],
    ['Control+X', press('x'), false, false, 'not without it'],
    ['Ctrl+Control+X', press('x', 'cm'), false, true, 'both together on macOS'],
    ['Alt+<', press('<', 'as', 'Comma'), true, true, 'a sign that is typed with Shift'],
    ['Alt+<', press('<', 'a', 'IntlBackslash'), true, true, 'a sign that is typed without'],
    ['Alt+X', press('X', 'as'), false, false, 'a letter needs its Shift'],
    ['Alt+5', press('5', 'as'), false, false, 'a digit too'],
    ['Alt+Shift+(', press('(', 'a'), false, false, 'Shift that is asked for is needed'],
    ['Control+Space', press(' ', 'c', 'Space'), true, true, 'the space bar'],
  ])('The keys %s match the press %j on Linux: %s, on macOS: %s, as %s', (keys, event, linux, mac) => {
    expect([matches(keys, event, false), matches(keys, event, true)]).toEqual([linux, mac]);
  });

  it.each<[string, KeyPress, string | null]>([
    ['Alt+F', press('ƒ', 'a', 'KeyF'), 'place'],
    ['Alt+U', press('Dead', 'a', 'KeyU'), 'place'],
    ['Control+X', press('ч', 'c', 'KeyX'), 'place'],
    ['Alt+2', press('™', 'a', 'Digit2'), 'place'],
    ['Control+X', press('x', 'c', 'KeyQ'), 'key'],
    ['Control+X', press('q', 'c', 'KeyX'), null],
    ['Control+X', press('\u007F', 'c', 'KeyX'), null],
    ['Control+X', press('Enter', 'c', 'KeyX'), null],
    ['Alt+Shift+F', press('Ï', 'a', 'KeyF'), null],
    ['Alt+Enter', press('ƒ', 'a', 'KeyE'), null],
    ['Alt+F10', press('ƒ', 'a', 'KeyF'), null],
    ['Alt+12', press('ƒ', 'a', 'Digit12'), null],
    ['Alt+;', press('…', 'a', 'Semicolon'), null],
    ['Alt+Shift+1', press('!', 'as', 'Digit1'), 'place'],
    ['Alt+1', press('&', 'a', 'Digit1'), null],
    ['Alt+Shift+A', press('!', 'as', 'DigitA'), null],
    ['Alt+Shift+11', press('!', 'as', 'Digit11'), null],
    ['Alt+?', press('/', 'a', 'Slash'), 'place'],
    ['Alt+/', press('/', 'a', 'Slash'), 'key'],
  ])('The keys %s are the press %j by %s', (keys, event, expected) => {
    expect(compare(readStroke(keys), event, false)).toBe(expected);
  });

  it.each([
    ['C-x C-e', 'Control+X Control+E'],
    ['C-M-x', 'Control+Alt+X'],
    ['C-c I', 'Control+C Shift+I'],
    ['M-S-a', 'Alt+Shift+A'],
    ['M-<', 'Alt+<'],
    ['C-c C-d ~', 'Control+C Control+D ~'],
    ['C-M-SPC', 'Control+Alt+Space'],
    ['C-<right>', 'Control+ArrowRight'],
    ['C-x RET', 'Control+X Enter'],
    ['M-DEL', 'Alt+Backspace'],
    ['C--', 'Control+-'],
    ['TAB <left>', 'Tab ArrowLeft'],
    ['<up> <down> <home> <end> <delete> <next> <prior>', 'ArrowUp ArrowDown Home End Delete PageDown PageUp'],
  ])('Emacs’s %s is %s', (sequence, keys) => {
    expect(fromEmacs(sequence)).toBe(keys);
  });

  it.each([
    ['Control+X Control+E', 'C-x C-e'],
    ['Ctrl+Alt+X', 'C-M-x'],
    ['Control+C Shift+I', 'C-c I'],
    ['Alt+<', 'M-<'],
    ['Alt+Shift+(', 'M-('],
    ['Ctrl+.', 'C-.'],
    ['Ctrl+Shift+.', 'C-S-.'],
    ['Shift+Space', 'S-SPC'],
    ['Control+ArrowRight', 'C-<right>'],
    ['F6', 'f6'],
  ])('In Emacs’s notation %s is %s', (keys, sequence) => {
    expect(toEmacs(keys)).toBe(sequence);
  });

  it('A press has the text of its stroke', () => {
    const texts = [
      press('x', 'c'),
      press('X', 'as'),
      press('<', 'as'),
      press(' ', 'c'),
      press('F6', 's'),
      press('x', 'm'),
    ];
    expect(texts.map((each) => strokeOf(each, false))).toEqual([
      'Control+X',
      'Alt+Shift+X',
      'Alt+<',
      'Control+Space',
      'Shift+F6',
      'Meta+X',
    ]);
    expect(strokeOf(press('x', 'm'), true)).toBe('Ctrl+X');
  });

  it('A key that only changes others is none by itself', () => {
    expect(
      ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'OS', 'a'].map(isModifier),
    ).toEqual([...Array.from({ length: 9 }, () => true), false]);
  });

  it('A sequence is shown stroke after stroke', () => {
    expect([keyText('Control+X Control+E', false), keyText('Ctrl+Control+X ArrowUp', true)]).toEqual([
      'Ctrl+X Ctrl+E',
      '⌃+⌘+X ↑',
    ]);
    expect(keyLabels('ArrowLeft', false).concat(keyLabels('ArrowDown', false), keyLabels('ArrowRight', false))).toEqual(
      ['←', '↓', '→'],
    );
  });

  it('Keys are shown as caps [D15]', () => {
    expect([keyLabels('Ctrl+Shift+P', false), keyLabels('Ctrl+Alt+`', true), keyLabels('F6', false)]).toEqual([
      ['Ctrl', 'Shift', 'P'],
      ['⌘', '⌥', '`'],
      ['F6'],
    ]);
    expect([keyLabels('Alt+Shift++', false), keyLabels('Shift+F6', true)]).toEqual([
      ['Alt', 'Shift', '+'],
      ['⇧', 'F6'],
    ]);
  });
});

describe('keys of this system', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['MacIntel', { platform: 'MacIntel' }, ['⌘', 'O']],
    ['Linux', { platform: 'Linux x86_64' }, ['Ctrl', 'O']],
    ['no browser', undefined, ['Ctrl', 'O']],
  ])('The platform says which modifier Ctrl means: %s [D15]', async (_platform, navigator, labels) => {
    vi.stubGlobal('navigator', navigator);
    vi.resetModules();
    const here = await import('./key-strokes.ts');
    const isMac = labels[0] === '⌘';
    expect(here.keyLabels('Ctrl+O')).toEqual(labels);
    expect([here.matches('Ctrl+O', press('o', 'm')), here.matches('Ctrl+O', press('o', 'c'))]).toEqual([isMac, !isMac]);
  });
});
