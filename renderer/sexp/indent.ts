/** Where a new line begins inside a text that is being typed: by the operator of the list it is in, as Lisp programmers expect. */
import { type Form, scanOnly } from '#contract/sexp/reader.ts';

/** How many arguments of an operator stand apart before its body; operators that are not here and begin with def or with- have a body too. */
const BODY_AFTER: Record<string, number> = {
  let: 1,
  'let*': 1,
  flet: 1,
  labels: 1,
  macrolet: 1,
  'symbol-macrolet': 1,
  when: 1,
  unless: 1,
  lambda: 1,
  dolist: 1,
  dotimes: 1,
  case: 1,
  ecase: 1,
  ccase: 1,
  typecase: 1,
  etypecase: 1,
  progn: 0,
  prog1: 1,
  block: 1,
  'eval-when': 1,
  'handler-case': 1,
  'handler-bind': 1,
  'restart-case': 1,
  'unwind-protect': 1,
  'multiple-value-bind': 2,
  'destructuring-bind': 2,
  do: 2,
  'do*': 2,
  locally: 0,
  tagbody: 0,
  catch: 1,
  'return-from': 1,
  'do-symbols': 1,
};

/** The column for the line that follows `before`, the text up to the caret. */
export function indentAfter(before: string): number {
  const reading = scanOnly(before);
  if (reading.missing === 'string' || reading.missing === 'comment' || reading.missing === 'bar') return 0;
  let open: Form | null = null;
  for (let level = reading.forms; ;) {
    const last = level[level.length - 1];
    if (!last || last.closed || last.kind !== 'list') break;
    open = last;
    level = last.children;
  }
  if (!open) return 0;
  const column = columnOf(before, open.body);
  const [operator, first] = open.children;
  if (!operator || operator.kind !== 'atom' || open.start !== open.body) return column + 1;
  const word = before.slice(operator.start, operator.end).toLowerCase();
  const name = word.slice(word.lastIndexOf(':') + 1);
  if (/^[:"#\d]/.test(word)) return column + 1;
  const apart = BODY_AFTER[name] ?? (/^(def|with-|do-)/.test(name) ? 1 : null);
  if (apart !== null) return open.children.length - 1 >= apart ? column + 2 : column + 4;
  return first && lineOf(before, first.start) === lineOf(before, open.body)
    ? columnOf(before, first.start)
    : column + 1;
}

/** A line that is to begin at another column: its index, and the blank space that it gets and has. */
export interface Reindented {
  line: number;
  blank: string;
  had: number;
}

/**
 * Re-indents lines `first` to `last` (0-based) by the form that each is in: what differs, in order. Lines that begin inside
 * a string, a block comment or `|a name|` are left as they are, and so are comments of three semicolons and more, which
 * stand where their writer put them. A blank line among several becomes empty; alone it is indented.
 */
export function reindent(lines: readonly string[], first: number, last: number): Reindented[] {
  const text = lines.slice(0, last + 1);
  const changed: Reindented[] = [];
  let top = topLevelStart(text, first);
  for (let line = first; line <= last; line += 1) {
    const content = text[line]!;
    const had = /^[ \t]*/.exec(content)![0];
    const rest = content.slice(had.length);
    const before = text.slice(top, line).join('\n') + (line > top ? '\n' : '');
    if (!staysAsItIs(before, rest)) {
      const blank = rest === '' && first !== last ? '' : ' '.repeat(indentAfter(before));
      if (blank !== had) changed.push({ line, blank, had: had.length });
      text[line] = blank + rest;
    }
    if (text[line]!.startsWith('(')) top = line;
  }
  return changed;
}

function staysAsItIs(before: string, rest: string): boolean {
  const { missing } = scanOnly(before);
  return missing === 'string' || missing === 'comment' || missing === 'bar' || rest.startsWith(';;;');
}

/** The last line up to `line` that begins with `(`. */
function topLevelStart(lines: readonly string[], line: number): number {
  for (let at = line - 1; at > 0; at -= 1) if (lines[at]!.startsWith('(')) return at;
  return 0;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

function lineOf(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1);
}
