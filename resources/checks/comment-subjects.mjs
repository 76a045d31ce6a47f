/**
 * Finds doc comments that leave out their subject ("What is left", "It waits", "Those that …", "Whether …"): only a reader who knows
 * the answer can read them. TSDoc of TypeScript and JavaScript, and docstrings and file headers of Lisp. A header of a file must also
 * begin with words, not with the numbers of items.
 */
import { parseSync } from 'vite';

/** Beginnings without a subject. "One" is a subject before a noun ("One row of the table") and none before these words. */
const WITHOUT_SUBJECT =
  /^(?:what|who|whose|it|its|their|those|these|that|they|whether|of|as|(?:by|in) which|the same|also|then|only|null|nil|nothing|one(?:s|'s)?(?= (?:that|which|who|of|for|in|at|is|are|has|more|after|whose|to|from|with)\b|[,.:;]))(?![\w-])/i;
const BARE_ITEMS = /^(?:[A-Z]\d+[a-z]?|decisions? \d+|cases? \d+)(?![\w-])/;
const LONGEST_SHOWN = 60;
/** The package whose documentation users of the program read; what they read is worded for them. */
const READ_BY_USERS = '#:lisp-workbench';

/**
 * The faults of one source, each `file:line begins without its subject: …`.
 * @param {string} file the path, by whose ending the language is known
 */
export function subjectFaults(file, source) {
  return docComments(file, source)
    .map(({ at, text }) => ({ at, text: text.replace(/\s+/g, ' ').trim() }))
    .flatMap(({ at, text }) => {
      const fault = faultOf(text);
      const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
      return fault ? [`${file}:${source.slice(0, at).split('\n').length} ${fault}: ${shown}`] : [];
    });
}

function faultOf(text) {
  if (WITHOUT_SUBJECT.test(text)) return 'begins without its subject';
  return BARE_ITEMS.test(text) ? 'begins with numbers of items in place of words' : undefined;
}

/** @returns {{ at: number, text: string }[]} with the index at which each begins */
function docComments(file, source) {
  if (/\.(?:lisp|asd)$/.test(file)) return [...headers(source), ...docstrings(source)];
  return parseSync(file, source)
    .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ start, value }) => ({ at: start, text: value.slice(1).replace(/\n\s*\* ?/g, '\n') }));
}

/** Comments of three or four semicolons: of a file, or of a part of it. */
function headers(source) {
  return [...source.matchAll(/^;{3,4} (?:.*)(?:\n;{3,4}.*)*/gm)].map(({ 0: text, index }) => ({
    at: index,
    text: text.replace(/^;+ ?/gm, ''),
  }));
}

/**
 * The documentation of each definition at top level: the first string behind the name, unless it is the value of the definition;
 * and each string behind `:documentation`.
 */
function docstrings(source) {
  const found = [];
  let definition;
  let depth = 0;
  let last = '';
  for (const { 0: token, index } of source.matchAll(
    /#\\(?:[\w-]+|[^])|;[^\n]*|#\|[^]*?\|#|"(?:[^"\\]|\\[^])*"|[()]|[^\s()";]+/g,
  )) {
    if (token.startsWith(';') || token.startsWith('#|')) continue;
    if (depth === 1 && definition && token !== ')') definition.parts++;
    if (token === '(') {
      if (depth === 0) definition = { kind: '', parts: -1 };
      depth++;
    } else if (token === ')') {
      depth--;
      if (depth === 0 && definition?.text && !isValue(definition)) found.push(definition.text);
    } else if (definition && definition.kind === '') {
      definition.kind = token.toLowerCase().replace(/^.*:/, '');
    } else if (definition && definition.name === undefined) {
      definition.name = token.toLowerCase();
    } else if (token.startsWith('"')) {
      const text = { at: index, text: token.slice(1, -1) };
      if (definition.name === READ_BY_USERS) continue;
      if (last === ':documentation') found.push(text);
      else if (depth === 1 && definition.kind.startsWith('def') && definition.parts > 1) {
        definition.text ??= text;
        definition.textIsPart ??= definition.parts;
      }
    }
    last = token;
  }
  return found.sort((one, other) => one.at - other.at);
}

/** A function, or a variable without documentation, may end with a string that is its value. */
function isValue({ kind, parts, textIsPart }) {
  const isVariable = /^def(?:var|parameter|constant|global|ine-internal)/.test(kind);
  return isVariable ? textIsPart === 2 : textIsPart === parts && !/^def(?:struct|package|generic|type)/.test(kind);
}
