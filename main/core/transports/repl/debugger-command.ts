/**
 * The commands of the debugger in a line REPL, which are bare words or keywords. Any other line is a form, which is evaluated in the frame.
 * Pure.
 */

/** Commands that consist of a single bare word. */
type BareWord =
  | 'abort'
  | 'continue'
  | 'top'
  | 'up'
  | 'down'
  | 'current'
  | 'locals'
  | 'restarts'
  | 'error'
  | 'restart-frame'
  | 'into'
  | 'over'
  | 'out'
  | 'help';

export type DebuggerCommand =
  | { readonly do: 'restart'; readonly which: number | string }
  | { readonly do: 'frame'; readonly index: number }
  | { readonly do: 'backtrace'; readonly count: number | null }
  | { readonly do: 'evaluate'; readonly form: string }
  | { readonly do: 'return'; readonly form: string }
  | { [Name in BareWord]: { readonly do: Name } }[BareWord];

type Word = Exclude<DebuggerCommand['do'], 'evaluate' | 'return'>;

/** The words for each command, the usual word first. Some of the words are from SBCL's own debugger. */
const WORDS: Readonly<Record<Word, readonly string[]>> = {
  abort: ['abort', 'a', 'pop', 'q', 'quit'],
  continue: ['continue', 'cont', 'c'],
  top: ['top', 'toplevel'],
  backtrace: ['backtrace', 'bt', 'frames'],
  frame: ['frame', 'f'],
  up: ['up', 'u'],
  down: ['down', 'd'],
  current: ['where', 'print', 'p'],
  locals: ['locals', 'vars', 'l'],
  restarts: ['restarts'],
  restart: ['restart', 'r'],
  error: ['error', 'condition'],
  'restart-frame': ['restart-frame', 'rf'],
  into: ['step', 's', 'into'],
  over: ['next', 'over'],
  out: ['out'],
  help: ['help', 'h', '?'],
};

const byWord = new Map(Object.entries(WORDS).flatMap(([does, words]) => words.map((word) => [word, does as Word])));

const TAKES_FORM: ReadonlyMap<string, 'evaluate' | 'return'> = new Map([
  ['eval', 'evaluate'],
  ['e', 'evaluate'],
  ['return', 'return'],
]);

/**
 * Returns the command in a line; null if the line is a form. A symbol with the name of a command can still be evaluated, by a form such as
 * `eval top`. `restarts` contains the names of the available restarts, which are commands too.
 */
export function commandOf(line: string, restarts: readonly (string | null)[]): DebuggerCommand | null {
  const text = line.trim();
  if (/^\d{1,6}$/.test(text)) return { do: 'restart', which: Number(text) };
  const words = /^:?([A-Za-z][A-Za-z-]*|\?)(?:\s+(.*))?$/.exec(text);
  if (!words) return null;
  const [, word = '', rest = ''] = words;
  const takes = TAKES_FORM.get(word.toLowerCase());
  if (takes && rest !== '') return { do: takes, form: rest };
  const does = byWord.get(word.toLowerCase());
  if (does) return withArgument(does, rest.trim());
  return rest === '' && restarts.some((name) => name !== null && sameName(name, word))
    ? { do: 'restart', which: word }
    : null;
}

/** Returns true if a word is the name of a restart, possibly with a package prefix. */
export function sameName(name: string, word: string): boolean {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase() === word.toLowerCase();
}

function withArgument(does: Word, rest: string): DebuggerCommand | null {
  const number = /^\d{1,6}$/.test(rest) ? Number(rest) : null;
  if (does === 'backtrace') return rest === '' || number !== null ? { do: does, count: number } : null;
  if (does === 'frame' && rest !== '') return number === null ? null : { do: does, index: number };
  if (does === 'frame') return { do: 'current' };
  if (does === 'restart') return rest === '' ? { do: 'restarts' } : { do: does, which: number ?? rest };
  return rest === '' ? { do: does } : null;
}

export const DEBUGGER_HELP = `Commands, as words or keywords; other input is a form, evaluated with the variables of the frame:
  0, 1, …        takes the restart with that number; its name (use-value) or restart NAME does the same
  abort          leaves this level of the debugger      top      leaves all levels
  continue       takes the restart CONTINUE             restarts lists the restarts again
  backtrace [N]  lists the frames, at most N            frame N  goes to frame N
  up, down       goes to the caller, to the callee      where    shows the frame
  locals         shows the variables of the frame       error    shows the condition again
  eval FORM      evaluates a form in the frame, also a symbol with the name of a command
  return FORM    returns the form's values from the frame
  restart-frame  calls the function of the frame again with the same arguments
  step, next, out
                 step into the next form, over it, or out of the function, if code stopped at a break or a step
  help           shows this
`;
