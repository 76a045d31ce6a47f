/**
 * The pages in docs that list the window's commands, keys and settings. The functions have no side effects. `reference-pages.test.mjs`
 * reads the tables and compares the pages; `npm run docs` makes the test write them.
 */
import { toEmacs } from '../../renderer/ui/menus/key-strokes.ts';

const TICKS = /^[`\\]$/;

/**
 * @typedef {object} ListedCommand a command, with its keys in each keymap as they are shown
 * @property {string} id
 * @property {string} title
 * @property {string} menu
 * @property {boolean} keysOnly true where no menu has it
 * @property {readonly (readonly string[])[]} keys of each keymap, in the order of the columns
 */

/** Returns the page of all commands. `keymaps` are the titles of the columns. */
export function commandsPage(commands, keymaps, menus) {
  const parts = menus.flatMap((menu) => {
    const listed = commands.filter((command) => command.menu === menu && !command.keysOnly);
    if (listed.length === 0) return [];
    const rows = listed.map(({ title, keys }) => row([title, ...keys.map(keysCell)]));
    return [`## ${menu}`, table(['command', ...keymaps], rows)];
  });
  return page(COMMANDS, parts);
}

/**
 * Returns the page of all keys. It has the groups of each keymap that the window lists; each row shows the keys and the place where they
 * work.
 */
export function keysPage(keymaps) {
  const parts = keymaps.flatMap(({ title, about, groups }) => [
    `## Keymap: ${title}`,
    about,
    ...groups.flatMap((group) => [
      `### ${group.title} (${title})`,
      table(
        ['keys', 'what they do', 'where'],
        group.rows.map(({ title: does, keys }) =>
          row([
            keysCell([...new Set(keys.map((each) => each.keys))]),
            does,
            [...new Set(keys.map(({ where }) => where ?? ''))].filter(Boolean).join(', '),
          ]),
        ),
      ),
    ]),
  ]);
  return page(KEYS, parts);
}

/**
 * Returns the page of all settings.
 * @param {readonly { group: string, title: string, names: readonly string[] }[]} entries of the dialog, in the dialog's order
 * @param {Record<string, object>} fields JSON Schema of each setting
 * @param {Record<string, string>} comments of each setting in the contract
 */
export function settingsPage(entries, fields, comments) {
  const groups = [...new Set(entries.map(({ group }) => group))];
  const parts = groups.flatMap((group) => {
    const listed = entries.filter((entry) => entry.group === group && entry.names.length > 0);
    if (listed.length === 0) return [];
    const rows = listed.flatMap(({ title, names }) =>
      names.map((name) =>
        row([title, code(name), valuesOf(fields[name]), defaultOf(fields[name]), comments[name] ?? '']),
      ),
    );
    return [`## ${group}`, table(['setting', 'in the file', 'values', 'without a choice', 'meaning'], rows)];
  });
  return page(SETTINGS, parts);
}

/**
 * Returns keys in the notation of Emacs manuals. After C- and C-M-, Shift is written as S-, because the letter's case does not show it
 * there. Function keys begin with a capital F.
 */
export function emacsKeys(keys) {
  return keys
    .split(' ')
    .map((stroke) => {
      const text = toEmacs(stroke).replace(/\bf(\d+)$/, 'F$1');
      return /^C-(?:M-)?[A-Z]$/.test(text) ? `${text.slice(0, -1)}S-${text.at(-1).toLowerCase()}` : text;
    })
    .join(' ');
}

/** Returns the doc comments of a zod object's fields, by field name. Each is one line. */
export function fieldComments(source) {
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*\n {2}(\w+):/g);
  return Object.fromEntries(
    [...found].map(([, comment, name]) => [
      name,
      comment
        .replaceAll(/^\s*\*/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]),
  );
}

function valuesOf(schema) {
  const { enum: values, type, minimum, maximum, anyOf, items } = schema;
  if (values) return values.map((value) => code(value)).join(', ');
  if (anyOf) return anyOf.map(valuesOf).join(' or ');
  if (type === 'null') return code('null');
  if (type === 'boolean') return `${code('true')}, ${code('false')}`;
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'whole number' : 'number'} from ${minimum} to ${maximum}`;
  if (type === 'array') return `list of ${items.type === 'string' ? 'texts' : 'values'}`;
  return 'text';
}

function defaultOf({ default: value }) {
  return value === undefined ? '' : code(JSON.stringify(value));
}

function keysCell(keys) {
  return keys.map(code).join(', ');
}

/** Returns text as Markdown code for a table cell. Backticks and bars in the text are preserved. */
function code(text) {
  const quoted = String(text).replaceAll('|', String.raw`\|`);
  return TICKS.test(quoted) || quoted.includes('`') ? `\`\` ${quoted} \`\`` : `\`${quoted}\``;
}

function table(heads, rows) {
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

function page({ title, from, text }, parts) {
  return `${[`# ${title}`, `<!-- Written by \`npm run docs\` from ${from}. Change these files, not this one. -->`, text, ...parts].join('\n\n')}\n`;
}

const COMMANDS = {
  title: 'Commands',
  from: 'the tables of commands in renderer/features and renderer/window',
  text: `Every command of the window stands in the palette (*Search or Run a Command*, \`Ctrl+Shift+P\`) and in one menu, under which it is listed
here with its keys in each of the three keymaps. [Keys](keys.md) lists them by keymap, with those that only move or change text.`,
};

const KEYS = {
  title: 'Keys',
  from: 'the tables of commands in renderer/features and renderer/window, and renderer/base/keys',
  text: `*Choose Keymap…* in the palette, or *Settings*, takes one of three keymaps. \`F1\` shows this list for the one that is chosen, with the
editor's own keys too, and finds a command by its name or by pressing its keys. On macOS Ctrl is Cmd in the keymaps of VS Code
and Alive. A key with a place in the last column means this there alone.`,
};

const SETTINGS = {
  title: 'Settings',
  from: 'main/contract/settings.ts and renderer/features/settings',
  text: `*Settings* (\`Ctrl+,\`) opens the dialog, in which settings are found by words of their names and values; each can be reset. They are kept in
\`settings.json\` in the folder of the program's settings, under the names in the second column; *Reset* takes a choice back. A file that is
damaged is read field by field, a copy of it is kept, and the window says so.`,
};
