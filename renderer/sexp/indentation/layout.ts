/**
 * The layout of Lisp text for indentation: lines, their whitespace, and the forms on them. It handles unfinished text, and knows the column
 * of each form while lines are moved. It treats a feature expression as a separate form: `#+sbcl` is one form, and the text after it
 * another.
 */

/** A form in the layout. `start` is the index of its first prefix (`#'`, `,@`), `body` the index of the form itself; both are on `line`. */
export interface Node {
  readonly kind: 'list' | 'atom' | 'string';
  readonly line: number;
  readonly start: number;
  readonly body: number;
  readonly parent: Node | null;
  /** The index among the children of its parent. */
  readonly index: number;
  readonly children: Node[];
  /** The index after the form's last character, on `endLine`. */
  end: number;
  endLine: number;
}

/** The context at the start of a line. `count` is the number of forms of `list` that end before the line. */
export interface LineContext {
  readonly within: 'code' | 'string' | 'comment';
  readonly list: Node | null;
  readonly count: number;
}

const TAB = 8;

export class Layout {
  readonly lines: readonly string[];
  readonly forms: Node[] = [];
  readonly contexts: LineContext[] = [];
  /** The columns at which the lines' texts begin; changed by {@link move}. */
  readonly #indents: number[];
  readonly #blanks: number[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.#blanks = lines.map((line) => blankLength(line));
    this.#indents = lines.map((line, at) => width(line, 0, this.#blanks[at]!, 0));
    this.#read();
  }

  /** Returns the text of a line without the whitespace before it. */
  textOf(line: number): string {
    return this.lines[line]!.slice(this.#blanks[line]);
  }

  /** Returns the original whitespace at the beginning of a line. */
  blankOf(line: number): string {
    return this.lines[line]!.slice(0, this.#blanks[line]);
  }

  indentOf(line: number): number {
    return this.#indents[line]!;
  }

  /** Moves the start of a line's text to another column. */
  move(line: number, column: number): void {
    this.#indents[line] = column;
  }

  /** Returns the column of a character, which must not be before the line's text. */
  columnAt(line: number, character: number): number {
    return width(this.lines[line]!, this.#blanks[line]!, character, this.#indents[line]!);
  }

  /** Returns the column of a form with its prefixes. */
  column(node: Node): number {
    return this.columnAt(node.line, node.start);
  }

  /** Returns the column of a form without its prefixes; for a list, the column of its parenthesis. */
  bodyColumn(node: Node): number {
    return this.columnAt(node.line, node.body);
  }

  /** Returns the text of a one-line form, without prefixes. */
  word(node: Node): string {
    return this.lines[node.line]!.slice(node.body, node.end);
  }

  /** Returns the text from the beginning of a form, with its prefixes, to the end of that line. */
  from(node: Node): string {
    return this.lines[node.line]!.slice(node.start);
  }

  #read(): void {
    let within: 'code' | 'string' | 'bar' | 'comment' = 'code';
    let depth = 0;
    let open: Node | null = null;
    let text: Node | null = null;
    const add = (kind: Node['kind'], line: number, start: number, body: number): Node => {
      const siblings = open ? open.children : this.forms;
      const node: Node = {
        kind,
        line,
        start,
        body,
        parent: open,
        index: siblings.length,
        children: [],
        end: this.lines[line]!.length,
        endLine: line,
      };
      siblings.push(node);
      return node;
    };
    for (let line = 0; line < this.lines.length; line += 1) {
      const source = this.lines[line]!;
      const list: Node | null = open;
      const count: number = list ? list.children.length : this.forms.length;
      this.contexts.push({ within: within === 'bar' ? 'string' : within, list, count });
      let at = 0;
      while (at < source.length) {
        if (within === 'comment') {
          const edge: { at: number; change: number } = commentEdge(source, at);
          depth += edge.change;
          at = edge.at;
          if (depth === 0) within = 'code';
          continue;
        }
        if (within !== 'code') {
          const end = quotedEnd(source, at, within === 'string' ? '"' : '|');
          at = end ?? source.length;
          if (end !== null) {
            text!.end = end;
            text!.endLine = line;
            within = 'code';
          }
          continue;
        }
        const char = source[at]!;
        if (BLANK.test(char)) at += 1;
        else if (char === ';') break;
        else if (char === ')') {
          at += 1;
          if (open) {
            open.end = at;
            open.endLine = line;
            open = open.parent;
          }
        } else if (char === '#' && source[at + 1] === '|') {
          within = 'comment';
          depth = 1;
          at += 2;
        } else {
          let body = at;
          while (body < source.length && PREFIX.test(source[body]!) && source.slice(body, body + 2) !== '#|') body += 1;
          const first = source[body];
          if (first === undefined || BLANK.test(first) || first === ')' || first === ';') at = Math.max(body, at + 1);
          else if (first === '(') {
            open = add('list', line, at, body);
            at = body + 1;
          } else if (first === '"' || first === '|') {
            text = add('string', line, at, body);
            within = first === '"' ? 'string' : 'bar';
            at = body + 1;
          } else if (first === '#') at = body;
          else {
            const atom = add('atom', line, at, body);
            at = atomEnd(source, body);
            atom.end = at;
          }
        }
      }
    }
  }
}

const BLANK = /[\s]/;
/** Characters before a form that belong to it. */
const PREFIX = /['`,#@]/;

function blankLength(line: string): number {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\f') at += 1;
  return at;
}

/** Returns the column of index `to` in `line`, if index `from` is in column `column`. */
function width(line: string, from: number, to: number, column: number): number {
  let at = column;
  for (let index = from; index < to; index += 1) at += line[index] === '\t' ? TAB - (at % TAB) : 1;
  return at;
}

function atomEnd(source: string, from: number): number {
  let at = from;
  while (at < source.length) {
    const char = source[at]!;
    if (char === '\\') at += 2;
    else if (BLANK.test(char) || char === '(' || char === ')' || char === '"' || char === ';' || char === '|') break;
    else at += 1;
  }
  return Math.min(at, source.length);
}

function quotedEnd(source: string, from: number, quote: string): number | null {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at + 1;
  }
  return null;
}

function commentEdge(source: string, from: number): { at: number; change: number } {
  const edge = /#\||\|#/g;
  edge.lastIndex = from;
  const found = edge.exec(source);
  if (!found) return { at: source.length, change: 0 };
  return { at: edge.lastIndex, change: found[0] === '#|' ? 1 : -1 };
}
