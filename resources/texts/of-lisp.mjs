/** Collects the texts in Lisp: strings that a person or a model may read, docstrings and comments. */

const DEFINERS = /^\(\s*(?:[\w-]+:)?(?:def[\w-]*|define-[\w-]+)\s/i;

/** Returns the shown texts of a Lisp file, in order: `{ offset, text }`. */
export function textsOfLisp(source) {
  return piecesOf(source)
    .filter(({ kind }) => kind === 'string')
    .map(({ start, end }) => ({ offset: start, text: contents(source, start, end) }))
    .filter(({ text }) => isProse(text))
    .map(({ offset, text }) => ({ offset, text: joined(text) }));
}

/** Returns the docstrings and comments of a Lisp file, in order: `{ start, end, text }`. */
export function commentsOfLisp(source) {
  return piecesOf(source)
    .filter(({ kind }) => kind !== 'string')
    .map(({ kind, start, end }) => ({
      start,
      end,
      text: kind === 'docstring' ? contents(source, start, end) : source.slice(start, end).replaceAll(/^\s*;+ ?/gm, ''),
    }));
}

const contents = (source, start, end) => source.slice(start + 1, end - 1).replaceAll(/\\(.)/gs, '$1');

/**
 * Returns the strings, docstrings and comments of a Lisp file, in order: `{ kind, start, end }`. Comments on consecutive lines form one
 * piece.
 */
function piecesOf(source) {
  const pieces = [];
  /** The lists that are open at the current position. Each has its start, and the number of its elements so far. */
  const open = [];
  let at = 0;
  const element = () => {
    const list = open.at(-1);
    if (list) list.elements += 1;
  };
  while (at < source.length) {
    const char = source[at];
    if (char === ';') {
      const end = commentEnd(source, at);
      pieces.push({ kind: 'comment', start: at, end });
      at = end;
    } else if (source.startsWith('#|', at)) at = blockEnd(source, at);
    else if (source.startsWith('#\\', at)) at = wordEnd(source, at + 3);
    else if (char === '|') at = closing(source, at, '|');
    else if (char === '"') {
      const end = closing(source, at, '"');
      pieces.push({ kind: isDocumentation(source, open, at, end) ? 'docstring' : 'string', start: at, end });
      element();
      at = end;
    } else if (char === '(') {
      element();
      open.push({ start: at, elements: 0 });
      at += 1;
    } else if (char === ')') {
      open.pop();
      at += 1;
    } else if (/[\s'`,@#]/.test(char)) at += 1;
    else {
      element();
      at = wordEnd(source, at + 1);
    }
  }
  return pieces;
}

/** True if the string from `start` to `end` documents a definition, a slot or a package. */
function isDocumentation(source, open, start, end) {
  const list = open.at(-1);
  if (!list) return false;
  const text = source.slice(list.start, list.start + 60);
  if (/:documentation\s+$/i.test(source.slice(list.start, start))) return true;
  if (!DEFINERS.test(text)) return false;
  if (/^\(\s*defstruct\b/i.test(text)) return list.elements === 2;
  if (list.elements < 3) return false;
  // A string that is a function's last form is its return value, not its documentation.
  return !/^\(\s*(?:defun|defmethod|defmacro)\b/i.test(text) || !/^\s*\)/.test(source.slice(end));
}

function isProse(text) {
  const read = text.replaceAll(/~(?:\d+|'.|[,:@#v])*(?:\/[^/]*\/|.)/gs, ' ').trim();
  const words = read.split(/\s+/).filter((word) => /^\p{Letter}[\p{Letter}’'-]*[).,:;!?…]*$/u.test(word));
  if (read.startsWith('(') && !/^\(\p{Lu}\p{Ll}/u.test(read)) return false;
  return words.length >= 3 || (words.length >= 2 && /^\p{Lu}/u.test(read));
}

/** Returns a text as FORMAT prints it: a tilde at the end of a line joins this line to the next. */
const joined = (text) =>
  text
    .replaceAll(/~@?\n\s*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the end of a comment. The comment continues on the next line if that line begins with the same number of semicolons. */
function commentEnd(source, at) {
  const [semicolons] = /^;+/.exec(source.slice(at));
  const lines = new RegExp(`[^\\n]*(?:\\n[ \\t]*${semicolons}(?!;)[^\\n]*)*`, 'y');
  lines.lastIndex = at;
  return at + lines.exec(source)[0].length;
}

function blockEnd(source, at) {
  let depth = 0;
  for (let next = at; next < source.length; next += 1) {
    if (source.startsWith('#|', next)) [depth, next] = [depth + 1, next + 1];
    else if (source.startsWith('|#', next)) [depth, next] = [depth - 1, next + 1];
    if (depth === 0) return next + 1;
  }
  return source.length;
}

function wordEnd(source, at) {
  let end = at;
  while (end < source.length && !/[\s()"';]/.test(source[end])) end += 1;
  return end;
}

function closing(source, at, quote) {
  let end = at + 1;
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}
