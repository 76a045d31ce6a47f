/** Collects the texts in Lisp that a person or a model may read: strings that are prose and no docstrings. */

const DEFINERS = /^\(\s*(?:[\w-]+:)?(?:def[\w-]*|define-[\w-]+)\s/i;

/** Returns the shown texts of a Lisp file, in their order: `{ offset, text }`. */
export function textsOfLisp(source) {
  const texts = [];
  /** The open lists: where each begins, and how many elements it has had. */
  const open = [];
  let at = 0;
  const element = () => {
    const list = open.at(-1);
    if (list) list.elements += 1;
  };
  while (at < source.length) {
    const char = source[at];
    if (char === ';') at = lineEnd(source, at);
    else if (source.startsWith('#|', at)) at = blockEnd(source, at);
    else if (source.startsWith('#\\', at)) at = wordEnd(source, at + 3);
    else if (char === '|') at = closing(source, at, '|');
    else if (char === '"') {
      const end = closing(source, at, '"');
      const text = source.slice(at + 1, end - 1).replaceAll(/\\(.)/gs, '$1');
      if (!isDocumentation(source, open, end) && isProse(text)) texts.push({ offset: at, text: joined(text) });
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
  return texts;
}

/** True for the string that documents a definition, a slot or a package; `end` is where the string ends. */
function isDocumentation(source, open, end) {
  const list = open.at(-1);
  if (!list) return false;
  const text = source.slice(list.start, list.start + 60);
  if (/^\(\s*:documentation\b/i.test(text)) return true;
  if (!DEFINERS.test(text)) return false;
  if (/^\(\s*defstruct\b/i.test(text)) return list.elements === 2;
  if (list.elements < 3) return false;
  // The last form of a function is what it returns.
  return !/^\(\s*(?:defun|defmethod|defmacro)\b/i.test(text) || !/^\s*\)/.test(source.slice(end));
}

function isProse(text) {
  const read = text.replaceAll(/~(?:\d+|'.|[,:@#v])*(?:\/[^/]*\/|.)/gs, ' ').trim();
  const words = read.split(/\s+/).filter((word) => /^\p{Letter}[\p{Letter}’'-]*[).,:;!?…]*$/u.test(word));
  if (read.startsWith('(') && !/^\(\p{Lu}\p{Ll}/u.test(read)) return false;
  return words.length >= 3 || (words.length >= 2 && /^\p{Lu}/u.test(read));
}

/** Returns a text as it is printed: a tilde at the end of a line joins it to the next line. */
const joined = (text) =>
  text
    .replaceAll(/~@?\n\s*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const lineEnd = (source, at) => source.indexOf('\n', at) + 1 || source.length;

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
