/**
 * Compares docs/commands.md, docs/keys.md and docs/settings.md with the tables of the window; `npm run docs` writes these pages. Also
 * checks the commands and keys in the other pages against the tables.
 */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { settings } from '../../main/contract/settings.ts';
import { fromEmacs, keyText, toEmacs } from '../../renderer/ui/menus/key-strokes.ts';
import { faultsOf, sameKeys } from '../../renderer/base/keys/key-sequences.ts';
import { parseCommandLine, usage } from '../../main/cli/options/arguments.ts';
import { commandFaults, namedCommandFaults } from './named-commands.mjs';
import { inRoot } from '../setup/places.mjs';
import { commandsPage, emacsKeys, fieldComments, keysPage, settingsPage } from './reference-pages.mjs';

// The tables are read without a page, so stubs replace the modules of the editor and the window that they import.
vi.mock('../../renderer/editor/monaco/monaco.ts', () => ({ monaco: inert() }));

function inert() {
  return new Proxy(function nothing() {}, {
    get(_target, name) {
      if (name === Symbol.toPrimitive) return () => '';
      return name === 'then' ? undefined : inert(); // no promise
    },
    apply: () => inert(),
    construct: () => inert(),
  });
}

const read = (file) => readFileSync(inRoot(file), 'utf8');

/** The commands with their keys in each keymap, and the groups of keys that the window lists for each keymap. */
let commands;
let keymaps;
let menus;
let entries;
/** The bindings of each keymap, by its title. */
const bindings = new Map();

beforeAll(async () => {
  for (const name of ['window', 'document', 'ResizeObserver', 'MutationObserver', 'HTMLElement']) {
    vi.stubGlobal(name, inert());
  }
  const { registerFeatures } = await import('../../renderer/window/registrations.ts');
  const { allBindings, allCommands, meantBy, setKeymap } = await import('../../renderer/base/keys/command-registry.ts');
  const { KEYMAPS } = await import('../../renderer/base/keys/keymaps.ts');
  const { MENU_TITLES, menuOf } = await import('../../renderer/window/menus.ts');
  const { HELP_ORDER, helpEntries } = await import('../../renderer/window/help/help-entries.ts');
  const { helpGroups } = await import('../../renderer/window/help/help-rows.ts');
  ({ SETTINGS: entries } = await import('../../renderer/features/settings/entries.tsx'));
  registerFeatures();
  menus = MENU_TITLES;
  const found = new Map();
  keymaps = KEYMAPS.map(({ value, title, about }, column) => {
    setKeymap(value);
    bindings.set(title, allBindings());
    const shown = (keys) => (value === 'slime' ? emacsKeys(keys) : keyText(keys, false));
    for (const { id, title: name, keysOnly = false } of allCommands()) {
      const command = found.get(id) ?? { id, title: name, menu: menuOf(id), keysOnly, keys: KEYMAPS.map(() => []) };
      const own = allBindings().filter((binding) => meantBy(binding)?.id === id);
      command.keys[column] = [...new Set(own.map(({ keys }) => shown(keys)))];
      found.set(id, command);
    }
    const groups = helpGroups(helpEntries(), HELP_ORDER, { text: '' }).map((group) => ({
      ...group,
      rows: group.rows.map((one) => ({ ...one, keys: one.keys.map((each) => ({ ...each, keys: shown(each.keys) })) })),
    }));
    return { title, about, groups };
  });
  setKeymap('vscode');
  commands = [...found.values()];
});

afterAll(() => vi.unstubAllGlobals());

describe('keymaps with all commands', () => {
  it.each(['VS Code', 'SLIME', 'Alive'])(
    'The keymap %s has no keys twice in a place, no command whose keys begin others, and tells all of them apart [D4]',
    (title) => {
      expect(faultsOf(bindings.get(title))).toEqual([]);
      const typed = new Map(bindings.get(title).map(({ keys }) => [sameKeys(keys), keys]));
      for (const write of [(keys) => keyText(keys, false), toEmacs, emacsKeys]) {
        const shown = [...typed.values()].map(write);
        expect(shown.filter((each, index) => shown.indexOf(each) !== index)).toEqual([]);
      }
      for (const [same, keys] of typed) expect(sameKeys(fromEmacs(emacsKeys(keys)))).toBe(same);
    },
  );
});

describe('references of the window', () => {
  it('The page of commands lists every command of the palette, with its keys in each keymap [D15]', async () => {
    const text = commandsPage(
      commands,
      keymaps.map(({ title }) => title),
      menus,
    );
    await expect(text).toMatchFileSnapshot(inRoot('docs', 'commands.md'));
  });

  it('The page of keys lists the keys of each keymap as the window does', async () => {
    await expect(keysPage(keymaps)).toMatchFileSnapshot(inRoot('docs', 'keys.md'));
  });

  it('The page of settings lists every setting with its values', async () => {
    const fields = z.toJSONSchema(settings, { io: 'input' }).properties;
    const comments = fieldComments(read('main/contract/settings.ts'));
    const listed = entries.flatMap(({ names }) => names);
    const chosen = Object.keys(fields).filter((name) => name !== 'version' && name !== 'recentProjects');
    expect(listed.toSorted()).toEqual(chosen.toSorted());
    await expect(settingsPage(entries, fields, comments)).toMatchFileSnapshot(inRoot('docs', 'settings.md'));
  });
});

/** Pages in which all keys belong to the window. In other pages, keys may also belong to a terminal. */
const WINDOW = [
  'README.md',
  'docs/user-guide.md',
  'docs/agents-in-the-window.md',
  'docs/coming-from.md',
  'docs/troubleshooting.md',
  'docs/security.md',
];

describe('commands and keys in the documents', () => {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: inRoot() }).toSorted()];
  const commandLine = { parse: (words) => parseCommandLine(words, {}), usage };

  it.each(documents)('The commands of the shell that %s names are there, with their options', (file) => {
    expect(commandFaults(read(file), commandLine)).toEqual([]);
  });

  it.each(WINDOW)('The commands of the window and the keys that %s names are there', (file) => {
    const keys = keymaps.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.flatMap((one) => one.keys)));
    const known = { commands, keys: keys.map((each) => each.keys) };
    expect(namedCommandFaults(read(file), known)).toEqual([]);
  });

  it('A command of the shell with an option that it has not, or one that is not there, is found', () => {
    const text = 'As `lisp-workbench doctr`.\n\n```sh\nnpm run cli -- serve --prot 9081   # x\n```\nand `--sandbocks`.';
    expect(commandFaults(text, commandLine)).toEqual([
      expect.stringContaining('there is no command "doctr"'),
      expect.stringContaining('serve has no option "--prot"'),
      '--sandbocks is no option',
    ]);
  });

  it('A command of the window or a key that is not there, and keys that are of another command, are found', () => {
    const known = { commands: [{ title: 'Evaluate Form', keys: [['Ctrl+Enter']] }], keys: ['Ctrl+Enter', 'F12'] };
    const text = '*Evaluate Form* (`Ctrl+Enter`), *Evaluate Form* (`F12`), *Fly…*, *Moon: Focus*, `Alt+Ctrl+7`, `F11`';
    expect(namedCommandFaults(text, known)).toEqual([
      'F12 is no key of Evaluate Form',
      'Fly… is no command',
      'Moon: Focus is no command',
      'Alt+Ctrl+7 is no key of a keymap',
      'F11 is no key of a keymap',
    ]);
  });
});
