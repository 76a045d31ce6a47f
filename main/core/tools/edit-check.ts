/** What was looked up about a change of a Lisp file before a person is asked: whether it reads, where, and who calls what it changes. */
import type { CheckedChange, DiffHunk } from '#contract/approval.ts';
import type { CrossReference } from '#contract/introspection.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import { touchedForms, type ReadFile } from './edited-forms.ts';
import { readingFault } from './reading-fault.ts';
import type { ToolContext } from './tool.ts';

/** The image has so long to tell who calls: a card does not wait for it. */
const CALLERS_MS = 700;
/** Definitions whose callers are asked for, and callers of each. */
const MOST_ASKED = 8;
const MOST_CALLERS = 100;
const MOST_NAMED = 3;

/** Null where the change touches no form. */
export async function checkedChange(
  hunks: readonly DiffHunk[],
  after: ReadFile,
  context: Pick<ToolContext, 'session' | 'context'>,
): Promise<CheckedChange | null> {
  const fault = readingFault(after.text);
  if (fault !== null) return { words: `does not read: ${fault}`, fault: true };
  const touched = [...new Set(hunks.flatMap((hunk) => touchedForms(hunk, 'after', after)))];
  if (touched.length === 0) return null;
  const reading = readText(after.text);
  const packages = new Set(touched.map(({ start }) => packageAt(after.text, reading, start)));
  const [name = null] = packages.size === 1 ? packages : [];
  const functions = touched.flatMap((form) => {
    const found = definitionIn(after.text, form);
    const symbol = form.children[1];
    return found && symbol?.kind === 'atom' && CALLED.has(found.operator)
      ? [after.text.slice(symbol.start, symbol.end)]
      : [];
  });
  const callers = name === null ? '' : await callersOf([...new Set(functions)].slice(0, MOST_ASKED), name, context);
  const count = touched.length === 1 ? '1 complete form' : `${touched.length} complete forms`;
  const where = name === null ? '' : `, read in package ${name}`;
  return { words: `${count}${where}${callers === '' ? '' : ` · called by ${callers}`}`, fault: false };
}

const CALLED = new Set(['defun', 'defgeneric', 'defmethod', 'defmacro']);

/** "total and 1 test"; nothing where the image is busy, gone, slow, or knows none of them. */
async function callersOf(
  names: readonly string[],
  pkg: string,
  { session, context }: Pick<ToolContext, 'session' | 'context'>,
): Promise<string> {
  const { pid, running } = session.view();
  if (pid === null || running !== null || names.length === 0) return '';
  const asked = names.map(async (symbol) => {
    const fields = { context, symbol, package: pkg, relation: 'called-by' as const, limit: MOST_CALLERS };
    const { references } = await session.lookUp('cross-references', fields);
    return references;
  });
  const answers = await inTime(Promise.all(asked));
  return answers === null ? '' : callersInWords(answers.flat(), names);
}

/** Those that are not `changed` themselves, by name; what stands in a file or a package of tests is counted. Pure. */
export function callersInWords(callers: readonly CrossReference[], changed: readonly string[]): string {
  const own = new Set(changed.map(shortName));
  const functions = new Set<string>();
  const tests = new Set<string>();
  for (const caller of callers) {
    const name = shortName(caller.name);
    if (!own.has(name)) (isTest(caller) ? tests : functions).add(name);
  }
  const named = [...functions].slice(0, MOST_NAMED);
  const more = functions.size - named.length;
  const parts = [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(tests.size > 0 ? [tests.size === 1 ? '1 test' : `${tests.size} tests`] : []),
  ];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function isTest({ name, source }: CrossReference): boolean {
  const words = /(^|[^a-z])tests?($|[^a-z])/i;
  const home = /^(.*?)::?/.exec(name)?.[1] ?? '';
  return words.test(home) || words.test(source?.file.split('/').slice(-2).join('/') ?? '');
}

/** Without the package, in small letters, as it is written in files. */
function shortName(name: string): string {
  return name.replace(/^[^\s():|]*::?/, '').toLowerCase();
}

/** Null when it fails or takes too long. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, CALLERS_MS, null);
  try {
    return await Promise.race([promise.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
