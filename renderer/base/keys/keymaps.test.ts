import { describe, expect, it, vi } from 'vitest';
import { faultsOf } from './key-sequences.ts';
import { type Command, commandKeys, registerCommands, setKeymap } from './command-registry.ts';
import { bindingsOf, KEYMAPS, keymapTitle } from './keymaps.ts';

// Replaced because the table of commands shows notifications, which need a page.
vi.mock('../notices/notices.tsx', () => ({ orNotice: (action: Promise<unknown>) => action }));

const COMMANDS: Command[] = [
  { id: 'file.new', title: 'New File', keys: 'Ctrl+N', run: () => undefined },
  { id: 'file.save', title: 'Save', keys: 'Ctrl+S', run: () => undefined },
  { id: 'file.close', title: 'Close', keys: 'Ctrl+W', run: () => undefined },
  { id: 'evaluate.form', title: 'Evaluate', keys: 'Ctrl+Enter', keysIn: 'Editor text', run: () => undefined },
  {
    id: 'evaluate.compileTopLevel',
    title: 'Compile',
    keys: 'Alt+Shift+Enter',
    keysIn: 'Editor text',
    run: () => undefined,
  },
  { id: 'evaluate.topLevel', title: 'Top', keys: 'Alt+Enter', keysIn: 'Editor text', run: () => undefined },
  { id: 'move.down', title: 'Down', keys: 'Alt+D', keysIn: 'Editor text', run: () => undefined },
  { id: 'go.definition', title: 'Definition', keys: 'F12', keysIn: 'Editor text', run: () => undefined },
  { id: 'complete.show', title: 'Complete', keys: 'Ctrl+Space', keysIn: 'Editor text', run: () => undefined },
  { id: 'view.files', title: 'Files', keys: 'Ctrl+Shift+E', run: () => undefined },
];

function keysOf(keymap: 'vscode' | 'slime' | 'alive', id: string): string[] {
  return bindingsOf(keymap, COMMANDS)
    .filter(({ command, otherwise }) => command === id || otherwise.includes(id))
    .map(({ keys }) => keys);
}

describe('keymaps', () => {
  it.each(KEYMAPS)(
    'The tables of $title have no keys twice in a context, and no command whose keys begin others',
    ({ value }) => {
      expect(faultsOf(bindingsOf(value, COMMANDS))).toEqual([]);
    },
  );

  it('The keymap of VS Code is what the commands say, and nothing else', () => {
    expect(bindingsOf('vscode', COMMANDS)).toEqual(
      COMMANDS.map(({ id, keys, keysIn }) => ({ keys, in: keysIn ?? null, command: id, otherwise: [], title: null })),
    );
  });

  it('Keys of a command that acts in several regions are bound in each of them', () => {
    const [command] = COMMANDS;
    const bindings = bindingsOf('vscode', [{ ...command!, keysIn: ['Editor text', 'REPL'] }]);
    expect(bindings.map((each) => [each.keys, each.in])).toEqual([
      ['Ctrl+N', 'Editor text'],
      ['Ctrl+N', 'REPL'],
    ]);
  });

  it('In the keymap of SLIME a command has its chords first, and the keys of VS Code that mean nothing else', () => {
    expect(keysOf('slime', 'go.definition')).toEqual(['Alt+.', 'F12']);
    expect(keysOf('slime', 'evaluate.form')).toEqual([
      'Control+X Control+E',
      'Control+C Control+R',
      'Control+C Control+P',
      'Ctrl+Enter',
    ]);
    expect(keysOf('slime', 'view.files')).toEqual(['Control+X D', 'Ctrl+Shift+E']);
  });

  it('In the keymap of SLIME no command of files has Ctrl or Alt with a letter, and none hides what Emacs has there', () => {
    expect(keysOf('slime', 'file.new')).toEqual([]);
    expect(keysOf('slime', 'file.save')).toEqual(['Control+X Control+S']);
    expect(keysOf('slime', 'file.close')).toEqual(['Control+X K']);
    expect(keysOf('slime', 'move.down')).toEqual(['Control+Alt+D']);
    expect(keysOf('slime', 'complete.show')).not.toContain('Ctrl+Space');
  });

  it('In the keymap of Alive its keys come first, and those of VS Code stay where Alive has no other', () => {
    expect(keysOf('alive', 'evaluate.topLevel')).toEqual(['Alt+Shift+E', 'Alt+Enter']);
    expect(keysOf('alive', 'evaluate.compileTopLevel')).toEqual([]);
    expect(keysOf('alive', 'file.save')).toEqual(['Ctrl+S']);
  });

  it('A command is shown with its keys in the chosen keymap at once', () => {
    registerCommands(COMMANDS);
    const shown = (['vscode', 'slime', 'alive'] as const).map((keymap) => {
      setKeymap(keymap);
      return [commandKeys('file.save'), commandKeys('evaluate.topLevel'), commandKeys('file.new')];
    });
    expect(shown).toEqual([
      ['Ctrl+S', 'Alt+Enter', 'Ctrl+N'],
      ['Control+X Control+S', 'Control+Alt+X', undefined],
      ['Ctrl+S', 'Alt+Shift+E', 'Ctrl+N'],
    ]);
    expect(keymapTitle('slime')).toBe('SLIME');
  });
});
