/**
 * Checks the numbers and names that sources and documents cite: items (`E20`), decisions (`decision 26`), cases (`case 13`) and files
 * (`lisp/README.md`). Everything that is cited must exist.
 */
import { parseSync } from 'vite';
import { itemsIn } from './requirement-items.mjs';

/** Names of documents that were never in the repository. */
const ELSEWHERE = /\b(DESIGN|REQUIREMENTS)(?:\.md|\b)/g;
const DECISIONS = /\bdecisions? (\d+(?:(?:, | and |–)\d+)*)/gi;
const CASES = /(?<![-\w(])cases? (\d+(?:(?:, | and |–)\d+)*)/g;
/** File names. A Lisp file counts only with a folder, and not below `src`, because examples use such names. */
const FILE = /(?<![\w*./-])(?!\/?src\/)(?:[\w./-]*\w\.(?:md|tsx?|mjs|css)|[\w./-]+\/[\w.-]*\w\.lisp)\b/g;

/**
 * @typedef {object} Known
 * @property {ReadonlySet<string>} items
 * @property {ReadonlySet<number>} decisions
 * @property {ReadonlySet<number>} cases
 * @property {(name: string) => boolean} file whether the repository has such a file, by the end of its path
 */

/** Returns descriptions of the citations in `text` that do not exist. */
export function unknownCitations(text, known) {
  const numbers = (pattern, what, there) =>
    [...text.matchAll(pattern)]
      .flatMap(([, list]) => list.match(/\d+/g).map(Number))
      .filter((number) => !there.has(number))
      .map((number) => `${what} ${number}`);
  return [
    ...itemsIn(text).filter((id) => !known.items.has(id)),
    ...numbers(DECISIONS, 'decision', known.decisions),
    ...numbers(CASES, 'case', known.cases),
    ...[...text.matchAll(ELSEWHERE)].map(([, name]) => name),
    ...(text.match(FILE) ?? []).filter((name) => !known.file(name)),
  ];
}

/**
 * Returns the parts of a source that may contain citations: its comments and, in a test, its strings, because they include the titles.
 * Files are cited only in comments, because a string may name any file.
 * @returns {{ at: number, text: string }[]} with the index at which each part begins
 */
function citingTexts(file, source) {
  if (file.endsWith('.lisp')) return lispTexts(source);
  const { program, comments } = parseSync(file, source);
  const texts = comments.map(({ start, value }) => ({ at: start, text: unwrapped(value) }));
  if (/\.(?:test|spec)\.\w+$/.test(file)) texts.push(...strings(program));
  return texts;
}

/** Returns a comment without the stars at the beginning of its lines, because a citation may contain a line break. */
function unwrapped(comment) {
  return comment.replace(/\n\s*\*? ?/g, ' ');
}

function strings(node, found = []) {
  if (node === null || typeof node !== 'object') return found;
  if (Array.isArray(node)) for (const each of node) strings(each, found);
  else if (node.type === 'Literal' && typeof node.value === 'string')
    found.push({ at: node.start, text: withoutFiles(node.value) });
  else if (node.type === 'TemplateElement')
    found.push({ at: node.start, text: withoutFiles(node.value.cooked ?? node.value.raw) });
  else for (const each of Object.values(node)) strings(each, found);
  return found;
}

function withoutFiles(text) {
  return text.replace(FILE, '');
}

/** Returns the comments and strings of a Lisp file. The strings include documentation and titles of tests. */
function lispTexts(source) {
  const tokens = /#\\.|;[^\n]*|"(?:[^"\\]|\\[^])*"|#\|[^]*?\|#/g;
  return [...source.matchAll(tokens)]
    .filter(([token]) => !token.startsWith('#\\'))
    .map(({ 0: token, index }) => ({
      at: index,
      text: token.startsWith('"') ? withoutFiles(unwrapped(token)) : token,
    }));
}

/** Returns the faults of one source, each as `file:line cites …`. */
export function citationFaults(file, source, known) {
  return citingTexts(file, source).flatMap(({ at, text }) =>
    unknownCitations(text, known).map(
      (what) => `${file}:${source.slice(0, at).split('\n').length} cites ${what}, which is not there`,
    ),
  );
}

/** Returns the numbers of the decisions and cases in the text of docs/decisions.md, in order. */
export function decisionsIn(text) {
  const numbers = (pattern) => [...text.matchAll(pattern)].map(([, number]) => Number(number));
  return { decisions: numbers(/^### Decision (\d+): /gm), cases: numbers(/^- \*\*case (\d+)\*\* /gm) };
}
