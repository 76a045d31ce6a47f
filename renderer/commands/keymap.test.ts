import { describe, expect, it } from 'vitest';
import { find, type KeyPress, keyLabels, matches } from './keymap.ts';

const press = (key: string, held = '', code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('c'),
  metaKey: held.includes('m'),
  altKey: held.includes('a'),
  shiftKey: held.includes('s'),
});

describe('D15 keys', () => {
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
  ])('%s and %j → %s', (keys, event, expected) => {
    expect(matches(keys, event, false)).toBe(expected);
  });

  it('mean Cmd on macOS', () => {
    expect([matches('Ctrl+O', press('o', 'm'), true), matches('Ctrl+O', press('o', 'c'), true)]).toEqual([true, false]);
  });

  it('run the first command that may act', () => {
    const bindings = [
      { keys: 'Escape', id: 'a' },
      { keys: 'Escape', id: 'b' },
      { keys: 'Ctrl+S', id: 'c' },
    ];
    expect(find(bindings, press('Escape'), ({ id }) => id !== 'a', false)?.id).toBe('b');
    expect(find(bindings, press('x'), () => true, false)).toBeNull();
  });

  it('are shown as caps', () => {
    expect([keyLabels('Ctrl+Shift+P', false), keyLabels('Ctrl+Alt+`', true), keyLabels('F6', false)]).toEqual([
      ['Ctrl', 'Shift', 'P'],
      ['⌘', '⌥', '`'],
      ['F6'],
    ]);
  });
});
