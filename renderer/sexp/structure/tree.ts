/**
 * The forms of a text for structural editing: lists, strings and atoms with their prefixes, and comments. A feature expression is a prefix
 * of the form to which it applies, so that both move together. Unfinished text is handled.
 */

export interface Node {
  readonly kind: 'list' | 'string' | 'atom';
  /** The offset at which the node's prefixes begin: quotes, `#'`, `#+sbcl`. */
  readonly start: number;
  /** The offset at which the form itself begins; for a list, its parenthesis. */
  readonly body: number;
  end: number;
  readonly parent: Node | null;
  readonly children: Node[];
  closed: boolean;
}

interface Comment {
  readonly start: number;
  readonly end: number;
  readonly isBlock: boolean;
}

export class Tree {
  readonly text: string;
  readonly forms: Node[] = [];
  readonly comments: Comment[] = [];

  constructor(text: string) {
    this.text = text;
    this.#read();
  }

  /** Returns the innermost list around a caret; null at the top level. */
  listAround(caret: number): Node | null {
    let found: Node | null = null;
    for (let level = this.forms; ;) {
      const inner: Node | undefined = level.find(
        (node) =>
          node.kind === 'list' && node.body < caret && (caret < node.end || (!node.closed && caret <= node.end)),
      );
      if (!inner) return found;
      found = inner;
      level = inner.children;
    }
  }

  /** Returns the string around a caret between its quotes, or null. */
  stringAround(caret: number): Node | null {
    return (
      this.inside(this.listAround(caret)).find(
        ({ kind, body, end, closed }) =>
          kind === 'string' && body < caret && (caret < end || (!closed && caret <= end)),
      ) ?? null
    );
  }

  commentAround(caret: number): Comment | null {
    return (
      this.comments.find(({ start, end, isBlock }) => start < caret && (isBlock ? caret < end : caret <= end)) ?? null
    );
  }

  /** Returns the forms in a list; for null, the top-level forms. */
  inside(list: Node | null): readonly Node[] {
    return list ? list.children : this.forms;
  }

  /** Returns the form at a caret: the form around or after the caret, otherwise the form before it; null if the caret touches no form. */
  formAt(caret: number): Node | null {
    const forms = this.inside(this.listAround(caret));
    return (
      forms.find(({ start, end }) => start <= caret && caret < end) ?? forms.find(({ end }) => end === caret) ?? null
    );
  }

  /** Returns the first form after a caret in the same list, or the form whose prefixes surround the caret. */
  formAfter(caret: number): Node | null {
    return this.inside(this.listAround(caret)).find(({ start }) => start >= caret) ?? null;
  }

  /** Returns the last form before a caret in the same list. */
  formBefore(caret: number): Node | null {
    return this.inside(this.listAround(caret)).findLast(({ end }) => end <= caret) ?? null;
  }

  #read(): void {
    const { text } = this;
    const { length } = text;
    let open: Node | null = null;
    let at = 0;
    /** The offset at which the prefixes of the next form begin; null if it has none so far. */
    let prefix: number | null = null;
    /** Feature expressions that are waiting for their form, by the lists that contain them. */
    const add = (kind: Node['kind'], body: number, end: number, closed: boolean): Node => {
      const node: Node = { kind, start: prefix ?? body, body, end, parent: open, children: [], closed };
      prefix = null;
      (open ? open.children : this.forms).push(node);
      return node;
    };
    while (at < length) {
      const char = text[at]!;
      if (BLANK.test(char)) at += 1;
      else if (char === ';') {
        const eol = text.indexOf('\n', at);
        const end = eol < 0 ? length : eol;
        this.comments.push({ start: at, end, isBlock: false });
        at = end;
      } else if (char === '(') {
        open = add('list', at, length, false);
        at += 1;
      } else if (char === ')') {
        at += 1;
        prefix = null;
        if (!open) continue;
        open.end = at;
        open.closed = true;
        open = open.parent;
      } else if (char === '"') {
        const end = endOfQuoted(text, at + 1, '"');
        add('string', at, end ?? length, end !== null);
        at = end ?? length;
      } else if (char === "'" || char === '`' || char === ',') {
        prefix ??= at;
        at += char === ',' && (text[at + 1] === '@' || text[at + 1] === '.') ? 2 : 1;
      } else if (char === '#' && text[at + 1] === '|') {
        const end = endOfComment(text, at + 2);
        this.comments.push({ start: at, end, isBlock: true });
        at = end;
      } else if (char === '#' && (text[at + 1] === '+' || text[at + 1] === '-')) {
        prefix ??= at;
        at = endOfFeature(text, at + 2);
      } else {
        const dispatch = /^#\d*(?:['.=(]|[a-zA-Z](?=[("'`]))/.exec(text.slice(at, at + 12))?.[0];
        if (dispatch !== undefined) {
          prefix ??= at;
          at += dispatch.endsWith('(') ? dispatch.length - 1 : dispatch.length;
        } else {
          const end = endOfAtom(text, at);
          add('atom', at, end, true);
          at = end;
        }
      }
    }
  }
}

const BLANK = /\s/;

/** Returns the offset after the quote that ends the string or name at `from`; null if the text ends first. */
function endOfQuoted(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return null;
}

function endOfComment(text: string, from: number): number {
  const edge = /#\||\|#/g;
  edge.lastIndex = from;
  let depth = 1;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    depth += found[0] === '#|' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return text.length;
}

/** Returns the offset after a feature expression, which is a name, or a list without strings and comments. */
function endOfFeature(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.test(text[at]!)) at += 1;
  if (text[at] !== '(') return text[at] === ')' ? at : endOfAtom(text, at);
  let depth = 0;
  for (; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return at;
}

function endOfAtom(text: string, from: number): number {
  let at = from;
  if (text[at] === '#' && text[at + 1] === '\\') at += 3;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '\\') at += 2;
    else if (char === '|') at = endOfQuoted(text, at + 1, '|') ?? text.length;
    else if (BLANK.test(char) || '()"\';`,'.includes(char)) break;
    else at += 1;
  }
  return Math.min(Math.max(at, from + 1), text.length);
}
