/**
 * A side-effect-free reader for Lisp text. It does not intern or evaluate, never fails, and handles incomplete text. It returns positions,
 * not values. All offsets are UTF-16 offsets into the text.
 */

/** A form. `start` includes prefixes such as `'` or `#'`; `body` is the offset where the form itself begins. */
export interface Form {
  kind: 'list' | 'atom' | 'string';
  start: number;
  body: number;
  end: number;
  /** The forms inside a list, in order; empty for other forms. */
  children: Form[];
  parent: Form | null;
  /** False if the text ended before the end of the form. */
  closed: boolean;
}

/**
 * The construct that is still open at the end of the text; null if there is none. `prefix` is a `'`, `#+feature` or similar that is not
 * followed by its form.
 */
type Missing = 'list' | 'string' | 'bar' | 'comment' | 'prefix' | null;

export interface Reading {
  forms: Form[];
  missing: Missing;
  /** The number of open lists at the end of the text. */
  depth: number;
  /** The offset of the first unmatched `)`, or null. */
  stray: number | null;
}

/** Reads a whole text into its top-level forms. Assumes, as most editors do, that an unclosed form ends before the next `(` in column 0. */
export function readText(text: string): Reading {
  const forms: Form[] = [];
  let stray: number | null = null;
  let from = 0;
  for (let recoveries = 0; ; recoveries += 1) {
    const pass = scan(text, from, forms);
    stray ??= pass.stray;
    if (pass.resumeAt === null || recoveries >= 200) return { forms, missing: pass.missing, depth: pass.depth, stray };
    from = pass.resumeAt;
  }
}

/**
 * Returns true if a text can be evaluated: it is not empty and no form is open. A stray `)` is accepted, because the image's reader will
 * report it.
 */
export function isComplete(text: string): boolean {
  const reading = scanOnly(text);
  return reading.stray !== null || (reading.forms.length > 0 && reading.missing === null);
}

/** Reads a text like {@link readText}, but does not end an unclosed form at column 0. Used for the REPL, where the input is one text. */
export function scanOnly(text: string): Reading {
  const forms: Form[] = [];
  const pass = scan(text, 0, forms, false);
  return { forms, missing: pass.missing, depth: pass.depth, stray: pass.stray };
}

interface Pass {
  missing: Missing;
  depth: number;
  stray: number | null;
  resumeAt: number | null;
}

const TERMINATING = new Set([...'()"\';`,', ' ', '\t', '\n', '\r', '\f']);

function scan(text: string, from: number, forms: Form[], recover = true): Pass {
  const length = text.length;
  let at = from;
  let open: Form | null = null;
  let depth = 0;
  let stray: number | null = null;
  let missing: Missing = null;
  /** The offset where the prefixes of the next form begin; -1 if there are none. */
  let prefix = -1;
  /** The number of feature expressions that are still to be skipped (`#+a #+b form`). */
  let features = 0;
  let columnZero = -1;

  const begin = (kind: Form['kind'], body: number): Form => {
    const form: Form = {
      kind,
      start: prefix < 0 ? body : prefix,
      body,
      end: body,
      children: [],
      parent: open,
      closed: true,
    };
    prefix = -1;
    return form;
  };
  const add = (form: Form): void => {
    if (features > 0) {
      features -= 1;
      pendingFeature = form;
      return;
    }
    pendingFeature = null;
    if (open) open.children.push(form);
    else forms.push(form);
  };
  /** A feature expression whose form has not been read yet. */
  let pendingFeature: Form | null = null;
  const featureLists = new Set<Form>();

  while (at < length) {
    const char = text[at]!;
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f') {
      at += 1;
    } else if (char === ';') {
      const eol = text.indexOf('\n', at);
      at = eol < 0 ? length : eol + 1;
    } else if (char === '(') {
      if (recover && open && columnZero < 0 && text[at - 1] === '\n') columnZero = at;
      const list = begin('list', at);
      list.closed = false;
      if (features > 0) {
        features -= 1;
        featureLists.add(list);
      } else {
        pendingFeature = null;
        if (open) open.children.push(list);
        else forms.push(list);
      }
      open = list;
      depth += 1;
      at += 1;
    } else if (char === ')') {
      at += 1;
      prefix = -1;
      if (open) {
        open.end = at;
        open.closed = true;
        if (featureLists.has(open)) {
          pendingFeature = open;
        } else {
          pendingFeature = null;
          features = 0;
        }
        open = open.parent;
        depth -= 1;
        if (depth === 0) columnZero = -1;
      } else {
        stray ??= at - 1;
      }
    } else if (char === '"') {
      const form = begin('string', at);
      const end = skipDelimited(text, at + 1, '"');
      form.end = end < 0 ? length : end;
      form.closed = end >= 0;
      if (end < 0) missing = 'string';
      add(form);
      at = form.end;
    } else if (char === "'" || char === '`') {
      if (prefix < 0) prefix = at;
      at += 1;
    } else if (char === ',') {
      if (prefix < 0) prefix = at;
      at += text[at + 1] === '@' || text[at + 1] === '.' ? 2 : 1;
    } else if (char === '#') {
      let sub = at + 1;
      while (sub < length && isDigit(text[sub]!)) sub += 1;
      const kind = text[sub];
      if (kind === '|') {
        const end = skipComment(text, sub + 1);
        if (end < 0) missing = 'comment';
        at = end < 0 ? length : end;
      } else if (kind === '+' || kind === '-') {
        features += 1;
        at = sub + 1;
      } else if (
        kind === "'" ||
        kind === '.' ||
        kind === '=' ||
        kind === '(' ||
        (kind !== undefined && 'pPcCsSaA'.includes(kind) && opensForm(text, sub + 1))
      ) {
        if (prefix < 0) prefix = at;
        at = kind === '(' ? sub : sub + 1;
      } else if (kind === '\\') {
        const form = begin('atom', at);
        at = skipToken(text, Math.min(sub + 2, length)).end;
        form.end = at;
        if (sub + 1 >= length) {
          form.closed = false;
          missing = 'prefix';
        }
        add(form);
      } else {
        at = token(at, sub);
      }
    } else {
      at = token(at, at);
    }
  }

  function token(start: number, scanFrom: number): number {
    const form = begin('atom', start);
    const { end, closed } = skipToken(text, scanFrom);
    form.end = end;
    form.closed = closed;
    if (!closed) missing = 'bar';
    add(form);
    return form.end;
  }

  if (open) {
    for (let form: Form | null = open; form; form = form.parent) form.end = length;
    missing ??= 'list';
    if (recover && columnZero >= 0) {
      const top = forms[forms.length - 1];
      if (top && !top.closed) {
        trim(top, columnZero);
        return { missing, depth, stray, resumeAt: columnZero };
      }
    }
  }
  if (!missing && (prefix >= 0 || features > 0 || pendingFeature)) missing = 'prefix';
  return { missing, depth, stray, resumeAt: null };
}

/** Cuts off an unclosed form at `end` and removes the children after `end`. Only the last child at each level can extend beyond `end`. */
function trim(form: Form, end: number): void {
  for (let cut: Form | undefined = form; cut && cut.end > end; cut = cut.children.at(-1)) {
    cut.end = end;
    cut.children = cut.children.filter((child) => child.start < end);
  }
}

/** Returns the offset after the closing delimiter, or -1 if there is none. */
function skipDelimited(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === delimiter) return at + 1;
  }
  return -1;
}

function skipComment(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length - 1; at += 1) {
    if (text[at] === '|' && text[at + 1] === '#') {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    } else if (text[at] === '#' && text[at + 1] === '|') {
      depth += 1;
      at += 1;
    }
  }
  return -1;
}

function skipToken(text: string, from: number): { end: number; closed: boolean } {
  let at = from;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '\\') at += 2;
    else if (char === '|') {
      const end = skipDelimited(text, at + 1, '|');
      if (end < 0) return { end: text.length, closed: false };
      at = end;
    } else if (TERMINATING.has(char)) break;
    else at += 1;
  }
  return { end: Math.min(at, text.length), closed: true };
}

function opensForm(text: string, at: number): boolean {
  return text[at] === '(' || text[at] === '"' || text[at] === "'" || text[at] === '`' || text[at] === ' ';
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}
