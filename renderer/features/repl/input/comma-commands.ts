/**
 * Commands that are typed at the REPL after a comma, which cannot begin a form. Most commands are forms of the standard or of ASDF, which
 * are shown and evaluated as such and can be read in any package. The others are commands of the window.
 */

export interface CommaCommand {
  readonly name: string;
  /** The name of the argument in the help; null if the command takes no argument. */
  readonly argument: string | null;
  readonly title: string;
  /** Runs the command and returns its effect: a form to evaluate, a command of the window, or a text to show. */
  readonly run: (argument: string) => CommaEffect;
}

export type CommaEffect =
  | { readonly kind: 'evaluate'; readonly code: string }
  | { readonly kind: 'command'; readonly id: string }
  | { readonly kind: 'inspect'; readonly code: string }
  | { readonly kind: 'history'; readonly text: string }
  /** The draft with which the person continues, because the command needs an argument. */
  | { readonly kind: 'ask'; readonly draft: string }
  | { readonly kind: 'note'; readonly text: string };

const evaluated = (code: string): CommaEffect => ({ kind: 'evaluate', code });
const command =
  (id: string): (() => CommaEffect) =>
  () => ({ kind: 'command', id });
const string = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** All commands. @internal Exported for its test. */
export const COMMA_COMMANDS: readonly CommaCommand[] = [
  { name: 'help', argument: null, title: 'Lists these commands', run: () => ({ kind: 'note', text: commaHelp() }) },
  {
    name: 'cd',
    argument: 'folder',
    title: 'Changes the folder for relative file names',
    run: (folder) =>
      evaluated(
        `(cl:setf cl:*default-pathname-defaults* (uiop:ensure-directory-pathname (cl:truename ${string(folder === '' ? '~/' : folder)})))`,
      ),
  },
  {
    name: 'pwd',
    argument: null,
    title: 'Shows the folder for relative file names',
    run: () => evaluated('cl:*default-pathname-defaults*'),
  },
  {
    name: 'in-package',
    argument: 'package',
    title: 'Changes the current package',
    run: (name) =>
      evaluated(
        `(cl:in-package ${string(
          name
            .replace(/^(?:#?:|')/, '')
            .replace(/^"(.*)"$/, '$1')
            .toUpperCase(),
        )})`,
      ),
  },
  {
    name: 'load-system',
    argument: 'system',
    title: 'Loads an ASDF system',
    run: (system) => evaluated(`(asdf:load-system ${string(system.toLowerCase())})`),
  },
  { name: 'load', argument: 'file', title: 'Loads a file', run: (file) => evaluated(`(cl:load ${string(file)})`) },
  {
    name: 'compile-and-load',
    argument: 'file',
    title: 'Compiles a file and loads it',
    run: (file) => evaluated(`(cl:load (cl:compile-file ${string(file)}))`),
  },
  {
    name: 'describe',
    argument: 'name',
    title: 'Describes a name',
    run: (name) => evaluated(`(cl:describe '${name})`),
  },
  {
    name: 'inspect',
    argument: 'form',
    title: 'Shows the value of a form in the inspector; without a form, the last value',
    run: (code) => ({ kind: 'inspect', code: code === '' ? '*' : code }),
  },
  {
    name: 'history',
    argument: 'text',
    title: 'Lists the history, or its entries that contain a text',
    run: (text) => ({ kind: 'history', text }),
  },
  { name: 'clear', argument: null, title: 'Clears the transcript', run: command('repl.clear') },
  { name: 'save', argument: null, title: 'Saves the transcript as text', run: command('repl.saveTranscript') },
  { name: 'restart', argument: null, title: 'Starts a new image', run: command('image.restart') },
  {
    name: 'quit',
    argument: null,
    title: 'Ends this image and starts a new one',
    run: command('image.restart'),
  },
];

/** Parses a comma command into its name and its argument; returns null if the text is not a single line that begins with a comma. */
export function parseComma(text: string): { name: string; argument: string } | null {
  const found = /^\s*,\s*([^\s]*)[^\S\n]*([^\n]*?)\s*$/.exec(text);
  return found ? { name: found[1]!.toLowerCase(), argument: found[2]! } : null;
}

/**
 * Runs a comma command and returns its effect. `text` is a comma followed by the command's name or an unambiguous prefix of it, and the
 * argument.
 */
export function runComma(text: string): CommaEffect | null {
  const parsed = parseComma(text);
  if (!parsed) return null;
  const found = matching(parsed.name);
  const exact = clear(parsed.name);
  if (!exact) {
    const words = found.length > 1 ? ` Did you mean ${found.map(({ name }) => `,${name}`).join(' or ')}?` : '';
    return { kind: 'note', text: `There is no command ,${parsed.name}.${words} ,help lists them.` };
  }
  const needs = exact.argument !== null && !['inspect', 'history', 'cd'].includes(exact.name);
  if (needs && parsed.argument === '') return { kind: 'ask', draft: `,${exact.name} ` };
  return exact.run(parsed.argument);
}

/** Returns the command with this name, or the only command of whose name it is a prefix. */
function clear(name: string): CommaCommand | undefined {
  const [first, second] = matching(name);
  return first?.name === name || second === undefined ? first : undefined;
}

/** True for a text that identifies a single command, even if other names begin with the same letters. */
export function isClearCommand(text: string): boolean {
  const parsed = parseComma(text);
  return parsed !== null && clear(parsed.name) !== undefined;
}

/** Returns the commands of whose names a text is a prefix; an exact match comes first. */
export function matching(beginning: string): CommaCommand[] {
  const found = COMMA_COMMANDS.filter(({ name }) => name.startsWith(beginning));
  return found.toSorted((a, b) => Number(b.name === beginning) - Number(a.name === beginning));
}

function commaHelp(): string {
  const rows = COMMA_COMMANDS.map(
    ({ name, argument, title }) => [`,${name}${argument === null ? '' : ` ${argument}`}`, title] as const,
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, title]) => `${name.padEnd(width)}  ${title}`).join('\n');
}
