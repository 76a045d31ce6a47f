/**
 * Finds the top-level forms of the project, such as tests, that are not among a function's recorded callers but whose text names the
 * function.
 */
import type { CrossReference } from '#contract/image/introspection.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import { readText as textOf } from '#core/project/files/files.ts';
import { matcher } from '#core/project/search/matcher.ts';
import { searchText } from '#core/project/search/search.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of matching lines that are examined. The next constant is the maximum number that are reported. */
const MOST_LINES = 200;
const MOST_TOLD = 30;

const LISP_FILE = /\.(?:lisp|lsp|cl|asd)$/;

/** Forms that name a function without calling it. */
const NO_CALLS = new Set(['defpackage', 'uiop:define-package', 'define-package', 'export', 'declaim', 'proclaim']);

/** Returns an output line for each line of such a form that contains `name`, a symbol without its package. */
export async function textCallers(
  { project, signal }: Pick<ToolContext, 'project' | 'signal'>,
  name: string,
  recorded: readonly CrossReference[],
): Promise<string[]> {
  if (project.root === null || !/^[\w*+<>=/!?%&-]+$/.test(name)) return [];
  const word = name.replaceAll(/[*+?/]/g, '\\$&');
  const matches = matcher(`(?:[('\\s:]|^)${word}(?:[)\\s]|$)`.toLowerCase(), { regex: true });
  const search = { matches, glob: null, from: null, most: MOST_LINES, signal };
  const { lines } = await searchText(project.root, search);
  const callers = new Set(recorded.map((each) => bare(each.name)));
  const told: string[] = [];
  const texts = new Map<string, string>();
  for (const { file, line, text } of lines) {
    if (!LISP_FILE.test(file) || text.trimStart().startsWith(';')) continue;
    if (!texts.has(file)) texts.set(file, (await textOf(file)).text);
    const form = formAt(texts.get(file)!, line);
    if (form === null || NO_CALLS.has(form.operator) || callers.has(bare(form.name)) || bare(form.name) === bare(name))
      continue;
    told.push(`- (${form.operator} ${form.name} …) ${project.display(file)}:${line}: ${text.trim().slice(0, 120)}`);
  }
  const rest = told.length - MOST_TOLD;
  return rest > 0 ? [...told.slice(0, MOST_TOLD), `… and ${rest} more. Search the files for ${name}.`] : told;
}

/** Returns the operator and the name of the top-level form that contains a line, counted from 1; null if no form does. */
function formAt(text: string, line: number): { operator: string; name: string } | null {
  let start = 0;
  for (let count = 1; count < line; count += 1) start = text.indexOf('\n', start) + 1;
  const ended = text.indexOf('\n', start);
  const end = ended < 0 ? text.length : ended;
  const form = readText(text).forms.find((each) => each.start < end && each.end > start);
  if (!form) return null;
  const [operator, name] = form.children;
  const part = (each: { start: number; end: number } | undefined): string =>
    each ? text.slice(each.start, each.end).replaceAll(/\s+/g, ' ').slice(0, 60) : '';
  return definitionIn(text, form) ?? { operator: part(operator).toLowerCase(), name: part(name) };
}

/** Returns a definition's name without its package, kind and specializers, in lower case. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\((?:method|setf|flet|labels|lambda)\s+/, '')
    .replace(/^[^\s:|]*::?/, '')
    .replace(/[\s()].*$/, '');
}
