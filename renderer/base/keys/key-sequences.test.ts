import { describe, expect, it } from 'vitest';
import { type Binding, faultsOf, layered, meaningOf, readBinding } from './key-sequences.ts';
import type { KeyPress } from '../../ui/menus/key-strokes.ts';

const press = (key: string, held = '', code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('c'),
  metaKey: false,
  altKey: held.includes('a'),
  shiftKey: held.includes('s'),
});

const bind = (keys: string, command: string, where: string | null = null): Binding => ({ keys, command, in: where });

/** Returns the command for these key presses; `begun` if they are the start of a sequence; `none` otherwise. */
function meaning(
  bindings: readonly Binding[],
  pressed: readonly KeyPress[],
  contexts: readonly string[] = [],
  mayAct: (binding: Binding) => boolean = () => true,
): string {
  const found = meaningOf(bindings.map(readBinding), pressed, contexts, mayAct, false);
  return found.kind === 'command' ? found.binding.command : found.kind;
}

describe('sequences', () => {
  const bindings = [
    bind('Control+X Control+E', 'evaluate'),
    bind('Control+X O', 'other'),
    bind('Control+C Control+D D', 'describe'),
    bind('F6', 'next'),
  ];
  const [ctrlX, ctrlC] = [press('x', 'c'), press('c', 'c')];

  it.each<[string, KeyPress[], string]>([
    ['Control+X begins', [ctrlX], 'begun'],
    ['Control+X Control+E is complete', [ctrlX, press('e', 'c')], 'evaluate'],
    ['Control+X O ends with a letter alone', [ctrlX, press('o')], 'other'],
    ['an unknown second stroke means nothing', [ctrlX, press('q')], 'none'],
    ['two strokes of three begin', [ctrlC, press('d', 'c')], 'begun'],
    ['three strokes are complete', [ctrlC, press('d', 'c'), press('d')], 'describe'],
    ['what goes on behind a command means nothing', [press('F6'), press('F6')], 'none'],
    ['the second stroke alone means nothing', [press('e', 'c')], 'none'],
    ['a single stroke is a command', [press('F6')], 'next'],
  ])('Of pressed keys, %s', (_what, pressed, expected) => {
    expect(meaning(bindings, pressed)).toBe(expected);
  });

  it('An inner context goes before an outer one, and everywhere comes last', () => {
    const layeredBindings = [bind('F2', 'all'), bind('F2', 'outer', 'Editor'), bind('F2', 'inner', 'Text')];
    const f2 = [press('F2')];
    expect(meaning(layeredBindings, f2, ['Text', 'Editor'])).toBe('inner');
    expect(meaning(layeredBindings, f2, ['Editor'])).toBe('outer');
    expect(meaning(layeredBindings, f2, [])).toBe('all');
    expect(meaning(layeredBindings.slice(1), f2, [])).toBe('none');
  });

  it('Of the bindings of a key the first that may act does, in whatever context, or else the first', () => {
    const both = [bind('Escape', 'clear', 'Editor'), bind('Escape', 'close')];
    const escape = [press('Escape')];
    expect(meaning(both, escape, ['Editor'], ({ command }) => command === 'close')).toBe('close');
    expect(meaning(both, escape, ['Editor'], () => false)).toBe('clear');
  });

  it('A command of an inner context hides a sequence that begins further out, and a sequence there hides a command', () => {
    const hides = [bind('F2', 'here', 'Editor'), bind('F2 X', 'sequence')];
    expect(meaning(hides, [press('F2')], ['Editor'])).toBe('here');
    expect(meaning(hides, [press('F2')])).toBe('begun');
    expect(meaning([bind('F2', 'all'), bind('F2 X', 'sequence', 'Editor')], [press('F2')], ['Editor'])).toBe('begun');
  });

  it('The character of a key goes before its place, also where that is bound further in', () => {
    const signs = [bind('Alt+?', 'references', 'Editor'), bind('Alt+/', 'complete')];
    expect(meaning(signs, [press('/', 'a', 'Slash')], ['Editor'])).toBe('complete');
    expect(meaning(signs.slice(0, 1), [press('/', 'a', 'Slash')], ['Editor'])).toBe('references');
    expect(meaning(signs, [press('?', 'as', 'Slash')], ['Editor'])).toBe('references');
  });

  it('Each stroke of a sequence may be known by its place alone', () => {
    expect(meaning(bindings, [press('ч', 'c', 'KeyX'), press('e', 'c', 'KeyE')])).toBe('evaluate');
    expect(meaning(bindings, [press('ч', 'c', 'KeyX')])).toBe('begun');
  });
});

describe('faults of a keymap', () => {
  it('Keys that mean two things in one context are named, whatever their spelling', () => {
    expect(faultsOf([bind('Control+X', 'one'), bind('Ctrl+x', 'two'), bind('Ctrl+X', 'three', 'Editor')])).toEqual([
      'Control+X is one and two',
    ]);
    expect(faultsOf([bind('Shift+Alt+X', 'one', 'Editor'), bind('Alt+Shift+X', 'two', 'Editor')])).toEqual([
      'Shift+Alt+X is one and two in Editor',
    ]);
    expect(
      faultsOf([bind('Alt+X', 'one'), bind('Shift+X', 'two'), bind('Ctrl+X', 'three'), bind('X', 'four')]),
    ).toEqual([]);
  });

  it('A command whose keys begin a sequence in its context or everywhere is named', () => {
    expect(faultsOf([bind('Control+X', 'cut', 'Editor'), bind('Control+X Control+E', 'evaluate')])).toEqual([
      'Control+X is cut in Editor and begins Control+X Control+E',
    ]);
    expect(faultsOf([bind('Control+X K', 'close'), bind('Control+X', 'cut')])).toEqual([
      'Control+X is cut and begins Control+X K',
    ]);
    expect(faultsOf([bind('Control+X', 'cut'), bind('Control+X Control+E', 'evaluate', 'Editor')])).toEqual([]);
    expect(faultsOf([bind('Control+X', 'cut', 'Tree'), bind('Control+X Control+E', 'evaluate', 'Editor')])).toEqual([]);
    expect(faultsOf([bind('F1', 'help'), bind('F10', 'step')])).toEqual([]);
  });
});

describe('keymaps on top of one another', () => {
  const keysOf = (above: Binding[], below: Binding[]): string[] => layered(above, below).map(({ command }) => command);

  it('Keys below that mean something above are left out, in the same context and below everywhere', () => {
    expect(keysOf([bind('F2', 'new')], [bind('F2', 'old'), bind('F2', 'inner', 'Editor'), bind('F3', 'kept')])).toEqual(
      ['new', 'kept'],
    );
    expect(keysOf([bind('F2', 'new', 'Editor')], [bind('F2', 'old'), bind('F2', 'inner', 'Editor')])).toEqual([
      'new',
      'old',
    ]);
  });

  it('Keys below that begin something above, or go on behind a command above, are left out', () => {
    expect(keysOf([bind('Control+X K', 'close')], [bind('Ctrl+X', 'cut')])).toEqual(['close']);
    expect(keysOf([bind('Control+X', 'cut')], [bind('Ctrl+X K', 'close')])).toEqual(['cut']);
    expect(keysOf([bind('F1', 'help')], [bind('F10', 'step')])).toEqual(['help', 'step']);
  });
});
