/**
 * Checks a document's references to the repository: links, paths in code (`main/cli.ts`, `lisp/effects/`, `main/{cli,shell}/*.ts`), names
 * in files (`main/cli.ts › run`), npm scripts, and test stages. Each must exist.
 */
import { posix } from 'node:path';

/**
 * @typedef {object} Tree what a document can name
 * @property {ReadonlySet<string>} files of the repository, by path from its root
 * @property {(file: string) => string} read
 * @property {ReadonlySet<string>} scripts of package.json
 * @property {ReadonlySet<string>} stages of `npm test`
 */

/** Returns the references in `text` that `tree` does not contain, each as a sentence. `document` is the document's path from the root. */
export function linkFaults(document, text, tree) {
  const prose = withoutBlocks(text);
  const at = (index) => `${document}:${text.slice(0, index).split('\n').length}`;
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].flatMap(({ 1: link, 2: source, index }) =>
      linkFault(document, link ?? source, tree).map((fault) => `${at(index)} ${fault}`),
    ),
    ...[...prose.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: code, index }) =>
      codeFault(document, code, tree).map((fault) => `${at(index)} ${fault}`),
    ),
    ...[...prose.matchAll(/\bnpm (?:run (?:-s )?([\w-]+)|test -- (\w+))/g)].flatMap(
      ({ 1: script, 2: stage, index }) => {
        if (script !== undefined && !tree.scripts.has(script))
          return [`${at(index)} names no script: npm run ${script}`];
        if (stage !== undefined && !tree.stages.has(stage))
          return [`${at(index)} names no stage: npm test -- ${stage}`];
        return [];
      },
    ),
  ];
}

/** Returns a document's text without the content of its code blocks, except for blocks of shell commands. Line numbers stay the same. */
export function withoutBlocks(text) {
  return text.replace(/^```(?!sh)[^]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''));
}

function linkFault(document, link, tree) {
  if (/^[a-z]+:/.test(link)) return [];
  const [path, anchor] = link.split('#');
  const file = path === '' ? document : posix.normalize(posix.join(posix.dirname(document), path));
  if (!isThere(file, tree)) return [`links to ${link}, which is not there`];
  const found = anchor === undefined || anchorsOf(tree.read(file)).has(anchor);
  return found ? [] : [`links to ${link}, where no heading is called so`];
}

/** Returns the anchors of headings the way GitHub makes them: in lower case, without punctuation, with hyphens for spaces. */
function anchorsOf(text) {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

const SOURCE = /\.(?:tsx?|mjs|lisp|asd|css|md)$/;

function codeFault(document, code, tree) {
  const [path, name, ...rest] = code.split(' › ');
  if (rest.length > 0 || !/^\.?[\w@-][\w.@*{},-]*(?:\/[\w.@*{},-]*)*$/.test(path)) return [];
  const candidates = candidatesOf(document, path, tree);
  if (candidates === null) return [];
  const missing = candidates.filter((ways) => !ways.some((way) => isThere(way, tree)));
  if (missing.length > 0) return [`names ${path}, which is not there`];
  if (name === undefined) return [];
  const files = candidates.map((ways) => ways.find((way) => tree.files.has(way)));
  const lacking = files.filter((file) => file === undefined || !hasName(file, tree.read(file), name));
  return lacking.length === 0 ? [] : [`names ${name} in ${path}, where it does not stand`];
}

/** True if the file contains the name as a word. The `#` of a private member is ignored. */
function hasName(file, text, name) {
  const words = new Set(file.endsWith('.lisp') ? text.toLowerCase().split(/[\s()'"`,;]+/) : text.split(/[^\w$]+/));
  return words.has(name.replace(/^#/, ''));
}

/**
 * Returns the paths that `path` may refer to: relative to the root, or to the document's folder. A bare file name refers to any file with
 * this name. Returns null if `path` is not a path in this repository.
 */
function candidatesOf(document, path, tree) {
  const folder = posix.dirname(document);
  const paths = braces(path);
  const [first] = path.split(/[/*{]/);
  if (!path.includes('/')) {
    if (!SOURCE.test(path)) return null;
    return paths.map((name) => [...tree.files].filter((file) => posix.basename(file) === name).concat(name));
  }
  const ways = (each) => [each, posix.join(folder, each)];
  const known = ways(first).some((way) => [...tree.files].some((file) => file.startsWith(`${way}/`)));
  return known ? paths.map(ways) : null;
}

/** Expands braces: `a/{b,c}.ts` becomes two paths. */
function braces(path) {
  const [whole, before, inner, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return whole === undefined ? [path] : inner.split(',').flatMap((each) => braces(before + each + after));
}

/** True if the path is an existing file or folder, or a pattern that matches a file. */
function isThere(path, { files }) {
  if (files.has(path)) return true;
  const bare = path.replace(/\/$/, '');
  if (!path.includes('*')) return [...files].some((file) => file.startsWith(`${bare}/`));
  const pattern = new RegExp(`^${bare.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, '[^/]*')}$`);
  return [...files].some((file) => pattern.test(file));
}
