import { afterEach, describe, expect, it, vi } from 'vitest';
import { find, type KeyPress, keyLabels, matches } from './keymap.ts';

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

  it('Keys run the first command that may act [D15]', () => {
    const bindings = [
      { keys: 'Escape', id: 'a' },
      { keys: 'Escape', id: 'b' },
      { keys: 'Ctrl+S', id: 'c' },
    ];
    expect(find(bindings, press('Escape'), ({ id }) => id !== 'a', false)?.id).toBe('b');
    expect(find(bindings, press('x'), () => true, false)).toBeNull();
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
    const here = await import('./keymap.ts');
    const isMac = labels[0] === '⌘';
    expect(here.keyLabels('Ctrl+O')).toEqual(labels);
    expect([here.matches('Ctrl+O', press('o', 'm')), here.matches('Ctrl+O', press('o', 'c'))]).toEqual([isMac, !isMac]);
  });
});
