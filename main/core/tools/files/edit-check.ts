/**
 * Checks a change to a Lisp file before a person is asked: whether the file can be read, in which package it is read, and which functions
 * call the changed ones.
 */
import { plural } from '#contract/text/text.ts';
import type { DiffHunk } from '#contract/decisions/approval.ts';
import type { CrossReference } from '#contract/image/introspection.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';
import type { CardFacts } from '#core/approvals/request.ts';
import { type LispFile, touchedForms } from '#core/project/edits/lisp-file.ts';
import { findPackage } from '../lookup/names.ts';
import { readingFault } from '../replies/reading-fault.ts';
import type { ToolContext } from '../tool.ts';

/** How long, in milliseconds, the image may take to report the callers. If it takes longer, the card is shown without them. */
const CALLERS_MS = 700;
/**
 * The maximum number of definitions whose callers are requested, and of package names that are looked up. The next constant is the maximum
 * number of callers of each definition.
 */
const MOST_ASKED = 8;
const MOST_CALLERS = 100;
const MOST_NAMED = 3;

export interface CheckedChange extends NonNullable<CardFacts['checked']> {
  /** The number of complete forms that the change touches. */
  readonly forms: number;
  /** A sentence about packages that the forms name and the image lacks; null if it has all of them. */
  readonly lacking: string | null;
}

/** Returns the check of a change; null if the change touches no form. */
export async function checkedChange(
  hunks: readonly DiffHunk[],
  after: LispFile,
  context: Pick<ToolContext, 'session' | 'connectionId'>,
): Promise<CheckedChange | null> {
  const fault = readingFault(after.text);
  if (fault !== null) return { words: `cannot be read: ${fault}`, fault: true, forms: 0, lacking: null };
  const touched = [...new Set(hunks.flatMap((hunk) => touchedForms(hunk, 'after', after)))];
  if (touched.length === 0) return null;
  const reading = readText(after.text);
  const packages = new Set(touched.map(({ start }) => packageAt(after.text, reading, start)));
  const [name = null] = packages.size === 1 ? packages : [];
  const forms = touched.length;
  const unknown = await unknownPackages(touched, after.text, packages, context);
  if (unknown.length > 0)
    return {
      words: `${plural(forms, 'complete form')}, but the ${noPackages(unknown)}`,
      fault: true,
      forms,
      lacking: `The ${noPackages(unknown)}.`,
    };
  const functions = touched.flatMap((form) => {
    const found = definitionIn(after.text, form);
    const symbol = form.children[1];
    return found && symbol?.kind === 'atom' && CALLED.has(found.operator)
      ? [after.text.slice(symbol.start, symbol.end)]
      : [];
  });
  const callers = name === null ? '' : await callersOf([...new Set(functions)].slice(0, MOST_ASKED), name, context);
  const count = plural(forms, 'complete form');
  const where = name === null ? '' : `, read in package ${name}`;
  return {
    words: `${count}${where}${callers === '' ? '' : ` · called by ${callers}`}`,
    fault: false,
    forms,
    lacking: null,
  };
}

/** Returns text such as "image has no package FOO". */
function noPackages(names: readonly string[]): string {
  return `image has no package ${names.join(' and no package ')}`;
}

/**
 * Returns the packages that forms name and that neither the image nor the file itself has. Returns an empty list if the image lacks a
 * package in which the forms are read. The file is then not loaded, and the packages that it needs may be missing too.
 */
async function unknownPackages(
  forms: readonly Form[],
  text: string,
  homes: ReadonlySet<string | null>,
  { session }: Pick<ToolContext, 'session'>,
): Promise<string[]> {
  const { pid, running } = session.view();
  if (pid === null || running !== null) return [];
  const named = [...new Set(forms.flatMap((form) => prefixesIn(form, text)))].slice(0, MOST_ASKED);
  if (named.length === 0) return [];
  const lacks = async (name: string): Promise<boolean> => (await findPackage(session, name)) === null;
  const look = async (): Promise<string[]> => {
    for (const home of homes) if (home !== null && (await lacks(home))) return [];
    const unknown: string[] = [];
    for (const name of named) if (!definesPackage(text, name) && (await lacks(name))) unknown.push(name);
    return unknown;
  };
  return (await inTime(look())) ?? [];
}

function definesPackage(text: string, name: string): boolean {
  return readText(text).forms.some((form) => {
    const found = definitionIn(text, form);
    return (
      found !== null &&
      found.operator.endsWith('package') &&
      found.name.replace(/^(?:#?:|")|"$/g, '').toUpperCase() === name
    );
  });
}

/** Returns the package prefixes of the symbols in a form, in the case that the reader produces. */
function prefixesIn(form: Form, text: string): string[] {
  const conditional = /^#[+-]/.test(text.slice(form.start, form.body));
  if (form.kind === 'list') return conditional ? [] : form.children.flatMap((child) => prefixesIn(child, text));
  if (form.kind !== 'atom') return [];
  const [, prefix] = /^([^\s:()|"#'`,;\\]+)::?[^\s:]/.exec(text.slice(form.body, form.end)) ?? [];
  return prefix === undefined ? [] : [prefix.toUpperCase()];
}

const CALLED = new Set(['defun', 'defgeneric', 'defmethod', 'defmacro']);

/** Returns text such as "total and 1 test"; empty if the image is busy, slow or not running, or knows of no callers. */
async function callersOf(
  names: readonly string[],
  pkg: string,
  { session, connectionId }: Pick<ToolContext, 'session' | 'connectionId'>,
): Promise<string> {
  const { pid, running } = session.view();
  if (pid === null || running !== null || names.length === 0) return '';
  const asked = names.map(async (symbol) => {
    const fields = { context: connectionId, symbol, package: pkg, relation: 'called-by' as const, limit: MOST_CALLERS };
    const { references } = await session.lookUp('cross-references', fields);
    return references;
  });
  const answers = await inTime(Promise.all(asked));
  return answers === null ? '' : callersInWords(answers.flat(), names);
}

/**
 * Returns the names of the callers that are not in `changed`. Callers in a test file or test package are only counted. Pure.
 * @internal Exported for its test.
 */
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
    ...(tests.size > 0 ? [plural(tests.size, 'test')] : []),
  ];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function isTest({ name, source }: CrossReference): boolean {
  const words = /(^|[^a-z])tests?($|[^a-z])/i;
  const home = /^(.*?)::?/.exec(name)?.[1] ?? '';
  return words.test(home) || words.test(source?.file.split('/').slice(-2).join('/') ?? '');
}

/** Returns a name without its package, in lower case, as names are usually written in files. */
function shortName(name: string): string {
  return name.replace(/^[^\s():|]*::?/, '').toLowerCase();
}

/** Resolves with the promise's value, or with null if it fails or takes too long. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, CALLERS_MS, null);
  try {
    return await Promise.race([promise.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
