/**
 * The forms of a text for structural editing: lists, strings and atoms with their prefixes, and comments. A feature expression is
 * a prefix of the form that it is about, so that both are moved together. It copes with text that is being typed.
 */

export interface Node {
  readonly kind: 'list' | 'string' | 'atom';
  /** Where its prefixes begin: quotes, `#'`, `#+sbcl`. */
  readonly start: number;
  /** Where the form itself begins: of a list its parenthesis. */
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

  /** The innermost list that a caret is in; null at the top level. */
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

  /** The string that a caret is in, between its quotes; null elsewhere. */
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

  /** The forms in a list; those of the top level for null. */
  inside(list: Node | null): readonly Node[] {
    return list ? list.children : this.forms;
  }

  /** The form that a caret means: the one that it is in or before, else the one that it is behind; null where it touches none. */
  formAt(caret: number): Node | null {
    const forms = this.inside(this.listAround(caret));
    return (
      forms.find(({ start, end }) => start <= caret && caret < end) ?? forms.find(({ end }) => end === caret) ?? null
    );
  }

  /** The first form behind a caret in its list, or the one whose prefixes it is in. */
  formAfter(caret: number): Node | null {
    return this.inside(this.listAround(caret)).find(({ start }) => start >= caret) ?? null;
  }

  /** The last form in front of a caret in its list. */
  formBefore(caret: number): Node | null {
    return this.inside(this.listAround(caret)).findLast(({ end }) => end <= caret) ?? null;
  }

  #read(): void {
    const { text } = this;
    const { length } = text;
    let open: Node | null = null;
    let at = 0;
    /** Where the prefixes of the coming form begin; null without any. */
    let prefix: number | null = null;
    /** Feature expressions whose form is still to come, by the lists that they are in. */
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

/** The offset after the quote that ends what begins before `from`; null when the text ends first. */
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

/** The offset after a feature expression: a name, or a list without strings and comments. */
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
