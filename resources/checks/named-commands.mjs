/** Checks the commands that a document tells its reader to type or to choose: those of the shell, those of the window, and their keys. */

/**
 * Returns what is wrong with the commands of the shell in a text: `lisp-workbench COMMAND …` and `npm run cli -- COMMAND …`, and options
 * that stand alone in code.
 * @param {{ parse: (words: string[]) => unknown, usage: string }} commandLine `parse` throws with what is wrong
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

/** The text in one line, without what stands in blocks of code. */
function proseOf(text) {
  return text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/\s+/g, ' ');
}

/** The words of a command line, with a number for N. */
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
 * Returns what is wrong with the commands of the window and the keys in a text. Italics that end in an ellipsis or in `: Focus`, or have keys
 * in parentheses behind them, are the title of a command, or of a panel that has a command.
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

/** True for keys; a command of Emacs by its name, `M-x slime`, is none. */
function isKey(code) {
  return !/^M-x \S/.test(code) && /^(?:(?:Ctrl|Alt|Shift)\+\S|F\d+$|[CM]-\S)/.test(code);
}

const ARROWS = { '<left>': '←', '<right>': '→', '<up>': '↑', '<down>': '↓' };

/** Keys with their modifiers in one order, and arrows drawn. */
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
