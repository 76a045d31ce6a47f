/** Checks the commands that a document asks its reader to type or to choose: shell commands, commands of the window, and their keys. */

/**
 * Returns the faults in a text's shell commands. Checks `lisp-workbench COMMAND …`, `npm run cli -- COMMAND …`, and options that appear
 * alone in code.
 * @param {{ parse: (words: string[]) => unknown, usage: string }} commandLine `parse` throws an error that describes the fault
 */
export function commandFaults(text, { parse, usage }) {
  const plain = proseOf(text);
  const inline = [...plain.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  const lines = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block]) => block.split('\n'));
  const lone = inline.filter((code) => /^--[a-z-]+/.test(code) && !code.startsWith('-- '));
  return [
    ...[...inline, ...lines].flatMap((line) => {
      const given = /^(?:lisp-workbench|npm run (?:-s )?cli --) (.+)$/.exec(line.replace(/\s+#.*$/, ''))?.[1];
      return given === undefined || !/^[-a-z]/.test(given) ? [] : faultOf(() => parse(wordsOf(given)));
    }),
    ...lone
      .map((code) => /^--[a-z-]+/.exec(code)[0])
      .filter(
        (option) => !usage.includes(`${option} `) && !usage.includes(`${option},`) && !usage.includes(`${option}\n`),
      )
      .map((option) => `${option} is no option`),
  ];
}

/** Returns the text as one line, without code blocks. */
function proseOf(text) {
  return text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/\s+/g, ' ');
}

/** Returns the words of a command line. N is replaced by a number. */
function wordsOf(line) {
  return line
    .split(' ')
    .filter(Boolean)
    .map((word) => (word === 'N' ? '0' : word));
}

function faultOf(run) {
  try {
    run();
    return [];
  } catch (error) {
    return [error.message];
  }
}

/**
 * Returns the faults in the window commands and keys that a text names. A text in italics counts as the title of a command, or of a panel
 * with a command, if it ends in an ellipsis or in `: Focus`, or if keys in parentheses follow it.
 * @param {{ commands: readonly { title: string, keys: readonly (readonly string[])[] }[], keys: readonly string[] }} known
 */
export function namedCommandFaults(text, { commands, keys }) {
  const plain = proseOf(text);
  const byTitle = new Map(commands.map((command) => [command.title.toLowerCase(), command]));
  const commandOf = (title) => byTitle.get(title.toLowerCase()) ?? byTitle.get(`${title.toLowerCase()}: focus`);
  const bound = new Set(keys.map(inOrder));
  const named = [...plain.matchAll(/(?<![*\w])\*([^*`|]+)\*(?: \(`([^`]+)`\))?/g)].flatMap(([, title, given]) => {
    const isTitle = given !== undefined || title.endsWith('…') || title.endsWith(': Focus');
    if (!isTitle) return [];
    const command = commandOf(title);
    if (command === undefined) return [`${title} is no command`];
    const own = command.keys.flat().map(inOrder);
    return given === undefined || !isKey(given) || own.includes(inOrder(given))
      ? []
      : [`${given} is no key of ${title}`];
  });
  const lone = [...plain.matchAll(/`([^`]+)`/g)].map(([, code]) => code).filter(isKey);
  return [...named, ...lone.filter((code) => !bound.has(inOrder(code))).map((code) => `${code} is no key of a keymap`)];
}

/** True if the code is a key sequence. The name of an Emacs command, such as `M-x slime`, is not one. */
function isKey(code) {
  return !/^M-x \S/.test(code) && /^(?:(?:Ctrl|Alt|Shift)\+\S|F\d+$|[CM]-\S)/.test(code);
}

const ARROWS = { '<left>': '←', '<right>': '→', '<up>': '↑', '<down>': '↓' };

/** Returns keys with their modifiers in a fixed order, and with arrow keys drawn as arrows. */
function inOrder(keys) {
  return keys
    .replaceAll(/<\w+>/g, (name) => ARROWS[name] ?? name)
    .split(' ')
    .map((stroke) => {
      const [held] = /^(?:(?:Ctrl|Alt|Shift)\+)*/.exec(stroke);
      return [...held.split('+').filter(Boolean).toSorted(), stroke.slice(held.length)].join('+');
    })
    .join(' ');
}
