/** Tools that find names, their definitions and their uses. */
import { z } from 'zod';
import {
  crossReference,
  foundDefinition,
  type FoundDefinition,
  relation as relations,
  type CrossReference,
  type FoundPlace,
  type SymbolRecord,
} from '#contract/image/introspection.ts';
import { evaluatedSources } from './evaluated-source.ts';
import { fileSources } from './file-source.ts';
import { textCallers } from './text-callers.ts';
import {
  countOf,
  explainMissing,
  findPackage,
  inPackage,
  lookUp,
  nameOf,
  noPackageText,
  packageOf,
  startOf,
} from './names.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

/** The maximum number of entries in a list, for tools whose contract has no parameter for the count. */
const FOUND = 100;
const LISTED = 500;
const FIRST = { start: 0, count: 200 };

/** A definition without the evaluated form, because the text of the reply already contains the form. */
const toldDefinition = foundDefinition.omit({ evaluated: true });

const referencesOutput = z.object({
  symbol: z.string(),
  relation: relations,
  references: z.array(crossReference),
  total: z.int(),
  start: z.int(),
});

export const aproposSearch = defineTool({
  name: 'apropos_search',
  title: 'Search names',
  level: 'safe',
  description:
    'Defined symbols whose name contains a text, in all packages or one. Use it before you define something that may already exist.',
  input: z.strictObject({
    pattern: z.string().min(1).describe('Part of the name; not a regular expression.'),
    package: z.string().optional().describe('Default: all packages except the internal ones of SBCL and ASDF.'),
  }),
  openWorld: false,
  summarize: ({ pattern, package: pkg }) => inPackage(pattern, pkg),
  run: async ({ pattern: given, package: pkg }, context) => {
    const [, prefix, rest] = (pkg === undefined && /^([^\s:|"()]+)::?([^\s:]+)$/.exec(given)) || [];
    const pattern = rest ?? given;
    const where = pkg ?? prefix ?? null;
    const options = { externalOnly: false, kinds: null, documentation: false, usersAlone: true, limit: FOUND };
    const { symbols, total } = await lookUp(context, 'apropos', { pattern, package: where, ...options });
    if (symbols.length === 0) {
      const home = where === null ? '' : ` in the package ${where}`;
      return { success: true, text: `No name${home} contains ${JSON.stringify(pattern)}.` };
    }
    return {
      success: true,
      text: listed(symbols.map(symbolLine), total, 'Give more of the name, or a package such as CL.'),
    };
  },
});

export const functionArglist = defineTool({
  name: 'function_arglist',
  title: 'Lambda list',
  level: 'safe',
  description:
    'The lambda list of a function, macro, generic function or special operator. Use it before calling a function.',
  input: z.strictObject({
    function: nameOf('"uiop:run-program"'),
    package: packageOf,
  }),
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ function: name, package: pkg }, context) => {
    const asked = { context: context.connectionId, symbol: name, package: pkg ?? null };
    const { meanings, symbol } = await context.session.lookUp('describe-symbol', asked);
    const lines = meanings
      .filter(({ kind, lambdaList }) => lambdaList !== null && /function|macro|operator/.test(kind))
      .map(({ kind, lambdaList }) => `${symbol} [${kind}] ${lambdaList}`);
    if (lines.length === 0) return explainMissing(context, name, pkg, 'function');
    return { success: true, text: lines.join('\n') };
  },
});

export const findDefinition = defineTool({
  name: 'find_definition',
  title: 'Find definitions',
  level: 'safe',
  description:
    'Where the definitions of a name are (functions, methods, variables, classes, macros, packages, systems), and their text with source: true, libraries included. Use it before you read whole files.',
  input: z.strictObject({
    symbol: nameOf('A name such as "print-object" or, for one method, "area (circle)"'),
    package: packageOf,
    source: z.boolean().optional().describe('Also show the text of each definition.'),
  }),
  output: z.object({ symbol: z.string(), definitions: z.array(toldDefinition), total: z.int() }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => inPackage(symbol, pkg),
  run: async ({ symbol, package: pkg, source: withSource }, context) => {
    const [, name = symbol, specializers = null] = /^(.*[^\s(])\s*\(([^()]+)\)$/.exec(symbol) ?? [];
    const asked = { context: context.connectionId, symbol: name, package: pkg ?? null };
    const { symbol: printed, definitions: every, total: inAll } = await lookUp(context, 'find-definition', asked);
    if (every.length === 0) return explainMissing(context, name, pkg, 'definition');
    const definitions =
      specializers === null ? every : every.filter((each) => hasSpecializers(each.name, specializers));
    if (definitions.length === 0)
      return {
        success: false,
        text: `${printed} has no method for (${specializers}). It has:\n${listed(
          every.map((each) => each.name),
          inAll,
        )}`,
      };
    const total = specializers === null ? inAll : definitions.length;
    const sources = withSource ? fileSources(definitions, context) : new Map<(typeof definitions)[number], string>();
    const hidden = ofImplementation(definitions);
    const lines = definitions
      .filter((each) => !sources.has(each) && !hidden.has(each))
      .map((each) => `${each.name} [${each.kind}] ${placeText(each, context)}`);
    const rest =
      hidden.size > 0
        ? `The others are SBCL's own methods; "${name} (cons)" finds the method for the class CONS.`
        : `For the methods use ${context.howToCall('describe_symbol')}.`;
    const evaluated = definitions.some(({ evaluation }) => evaluation !== null)
      ? await evaluatedSources(context.session, printed)
      : '';
    const sections = [...(evaluated === '' ? [] : [evaluated]), ...sources.values()];
    const list = listed(lines, total - sources.size, rest);
    const text = [...(list === '' ? [] : [list]), ...sections].join('\n\n');
    const told = definitions.map((each) => toldDefinition.parse(each));
    return { success: true, text, structured: { symbol: printed, definitions: told, total } };
  },
});

/**
 * Returns SBCL's own definitions that are only counted and not listed. These are SBCL's methods if there are also methods of the user, but
 * not their generic function.
 */
function ofImplementation(definitions: readonly FoundDefinition[]): ReadonlySet<FoundDefinition> {
  const methods = definitions.filter(({ kind }) => kind.endsWith('method'));
  const [own, others] = [methods.filter(isOfSbcl), methods.filter((each) => !isOfSbcl(each))];
  return new Set(others.length > 0 && own.length > MOST_OF_SBCL ? own : own.slice(MOST_OF_SBCL));
}

/** The number of SBCL's own methods and callers that are listed if there are no others. */
const MOST_OF_SBCL = 20;

function isOfSbcl({ why }: FoundDefinition): boolean {
  return why?.startsWith("SBCL's own ") ?? false;
}

/** Returns true for a method whose specializers have these names in any package. */
function hasSpecializers(name: string, wanted: string): boolean {
  const words = name
    .toLowerCase()
    .split(/[\s()]+/)
    .map(withoutPackage);
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((each) => words.includes(withoutPackage(each)));
}

export const whoCalls = defineTool({
  name: 'who_calls',
  title: 'Who calls',
  level: 'safe',
  description:
    'Where loaded code uses a name, with file and line: who calls a function, expands a macro, refers to a variable, specializes on a class; tests and top-level forms are found too. Use it before you change a definition.',
  input: z.strictObject({
    function: nameOf('"shop:total"'),
    package: packageOf,
    relation: relations.optional().describe('Another kind of use than the default for the name.'),
    start: startOf,
    count: countOf(500, 200),
  }),
  output: referencesOutput,
  openWorld: false,
  summarize: ({ function: name, package: pkg, relation }) =>
    `${relation === undefined ? '' : `${relation} `}${inPackage(name, pkg)}`,
  run: async ({ function: name, package: pkg, relation, start, count }, context) =>
    references(context, name, pkg, relation ?? (await usualRelation(context, name, pkg)), { start, count }),
});

/** Returns the kind of uses to look up if the request has only a name. */
async function usualRelation(
  { session, connectionId }: ToolContext,
  symbol: string,
  pkg: string | undefined,
): Promise<(typeof relations.options)[number]> {
  const { meanings } = await session.lookUp('describe-symbol', {
    context: connectionId,
    symbol,
    package: pkg ?? null,
  });
  const isA = (pattern: RegExp): boolean => meanings.some(({ kind }) => pattern.test(kind));
  if (isA(/function/)) return 'called-by';
  if (isA(/macro/)) return 'macroexpands';
  if (isA(/variable|constant/)) return 'references';
  return isA(/class|structure|condition/) ? 'specializes' : 'called-by';
}

export const whoReferences = defineTool({
  name: 'who_references',
  title: 'Who references',
  level: 'safe',
  description: 'Functions that refer to a variable, with the place of each reference. Use it before you change it.',
  input: z.strictObject({
    variable: nameOf('"*cache*"'),
    package: packageOf,
  }),
  output: referencesOutput,
  openWorld: false,
  summarize: ({ variable, package: pkg }) => inPackage(variable, pkg),
  run: ({ variable, package: pkg }, context) => references(context, variable, pkg, 'references', FIRST),
});

export const listPackageSymbols = defineTool({
  name: 'list_package_symbols',
  title: 'Symbols of a package',
  level: 'safe',
  description:
    'List the symbols that a package exports and what each is defined as (function, macro, class, …). Use it to learn what a library offers.',
  input: z.strictObject({
    package: z.string().min(1).describe('Name or nickname.'),
    include_internal: z.boolean().optional().describe('Also list internal symbols.'),
    start: startOf,
    count: countOf(LISTED, 200),
  }),
  openWorld: false,
  summarize: ({ package: pkg }) => pkg,
  run: async ({ package: pkg, include_internal, start, count }, { session }) => {
    if (!(await findPackage(session, pkg))) return { success: false, text: await noPackageText(session, pkg) };
    const asked = { package: pkg, filter: null, offset: start, limit: count };
    const own = await session.lookUp('package-symbols', { ...asked, which: 'external' });
    const inner = include_internal ? await session.lookUp('package-symbols', { ...asked, which: 'internal' }) : null;
    const sections = [pageOf('External', own, start), ...(inner ? [pageOf('Internal', inner, start)] : [])];
    return { success: true, text: sections.join('\n\n').trimEnd() };
  },
});

/** Returns the symbols of one package, without the package's name in each line. */
function pageOf(
  title: string,
  { symbols, total }: { readonly symbols: readonly SymbolRecord[]; readonly total: number },
  start: number,
): string {
  const next = start + symbols.length;
  const lines = symbols.map((each) => symbolLine({ ...each, printed: withoutPackage(each.printed) }));
  const rest = `Call again with start ${next}.`;
  return `[${title}] ${total}\n${listed(lines, total - Math.min(start, total), rest)}`;
}

function withoutPackage(printed: string): string {
  return printed.replace(/^(?:[^|:]+|\|[^|]*\|)::?(?=.)/, '');
}

async function references(
  context: ToolContext,
  symbol: string,
  pkg: string | undefined,
  relation: (typeof relations.options)[number],
  { start, count }: { start: number; count: number },
): Promise<ToolOutcome> {
  const asked = { context: context.connectionId, symbol, package: pkg ?? null, relation, limit: start + count };
  const reply = await lookUp(context, 'cross-references', asked);
  if (!reply.found) return explainMissing(context, symbol, pkg, 'definition');
  if (relation === 'called-by' && start === 0) return callersOf(context, reply, { symbol, pkg, count });
  const { total } = reply;
  const found = usersFirst(reply, start).slice(start);
  const structured = { symbol: reply.symbol, relation, references: found, total, start };
  if (total === 0) return { success: true, text: await noneText(context, symbol, pkg, relation), structured };
  if (found.length === 0)
    return {
      success: true,
      text: `There are only ${total}, so there is nothing to show from ${start} on.`,
      structured,
    };
  const next = start + found.length;
  const rest = nextPage(context, relation, next, reply);
  const lines = byCaller(found, context);
  const more = total - start - found.length;
  return { success: true, text: listed(lines, lines.length + more, rest), structured };
}

function nextPage(
  { howToCall }: ToolContext,
  relation: string,
  start: number,
  { total, implementation }: OperationReply<'cross-references'>,
): string {
  const whose = start >= total - implementation ? "The others are in SBCL's own code. " : '';
  return `${whose}Use ${howToCall('who_calls')} with the relation ${relation} and start ${start}.`;
}

/**
 * Returns the references for a page: the user's own ones first, and SBCL's only after all of those. If there are only SBCL's, the first
 * page has just a few of them.
 */
function usersFirst(
  { references: found, total, implementation }: OperationReply<'cross-references'>,
  start: number,
): CrossReference[] {
  const users = total - implementation;
  if (users > start) return found.slice(0, users);
  return start === 0 ? found.slice(0, MOST_OF_SBCL) : found;
}

/**
 * Returns the callers of a function that the compiler has recorded. If there are none, returns the functions that refer to the function as
 * an object. Also returns the forms of the project whose text names the function, because calls from top-level forms, such as tests, are
 * not recorded.
 */
async function callersOf(
  context: ToolContext,
  recorded: OperationReply<'cross-references'>,
  { symbol, pkg, count }: { symbol: string; pkg: string | undefined; count: number },
): Promise<ToolOutcome> {
  const asked = { context: context.connectionId, symbol, package: pkg ?? null, limit: count };
  const byObject =
    recorded.total > 0 ? null : await lookUp(context, 'cross-references', { ...asked, relation: 'callers-by-object' });
  const { total, symbol: printed } = byObject ?? recorded;
  const found = usersFirst(byObject ?? recorded, 0);
  const structured = { symbol: printed, relation: 'called-by' as const, references: found, total, start: 0 };
  const none = await noneText(context, symbol, pkg, 'called-by');
  // The name does not belong to a function. The text names the relation that finds its uses.
  if (total === 0 && none !== NONE['called-by'](printed)) return { success: true, text: none, structured };
  const forms = await textCallers(context, withoutPackage(printed), found);
  const rest = nextPage(context, 'called-by', found.length, byObject ?? recorded);
  const lines = byCaller(found, context);
  const sections = [
    ...(lines.length > 0
      ? [
          `${byObject ? '[Functions that refer to it as an object]\n' : ''}${listed(lines, lines.length + total - found.length, rest)}`,
        ]
      : []),
    ...(forms.length > 0
      ? [`[Top-level forms and tests, found in the text of the project's files]\n${forms.join('\n')}`]
      : []),
  ];
  const text =
    sections.length > 0
      ? sections.join('\n\n')
      : `${none} Calls from top-level forms are not recorded; no other form in the project's files contains the name.`;
  return { success: true, text, structured };
}

const NONE: Record<(typeof relations.options)[number], (name: string) => string> = {
  calls: (name) => `${name} calls no function by name.`,
  'called-by': (name) => `No loaded code calls ${name}.`,
  references: (name) => `No loaded code refers to ${name}.`,
  binds: (name) => `No loaded code binds ${name}.`,
  sets: (name) => `No loaded code sets ${name}.`,
  macroexpands: (name) => `No loaded code expands ${name}.`,
  specializes: (name) => `No method specializes on ${name}.`,
  'callers-by-object': (name) => `No loaded function refers to the function ${name}.`,
};

/** Returns the answer if nothing was found. If the name has another kind than the requested one, the answer says where to look. */
async function noneText(
  { session, connectionId, howToCall }: ToolContext,
  symbol: string,
  pkg: string | undefined,
  relation: (typeof relations.options)[number],
): Promise<string> {
  const reply = await session.lookUp('describe-symbol', { context: connectionId, symbol, package: pkg ?? null });
  const kinds = reply.meanings.map(({ kind }) => kind);
  const none = NONE[relation](reply.symbol);
  if (relation === 'called-by' && kinds.includes('macro'))
    return `${none} It is a macro: ${howToCall('who_calls')} with the relation macroexpands lists its users.`;
  if (relation === 'called-by' && kinds.length > 0 && !kinds.some((kind) => kind.includes('function')))
    return `${none} It is not a function but: ${kinds.join(', ')}.`;
  if (relation === 'references' && kinds.includes('constant'))
    return `${none} It is a constant, and the compiler does not record uses of constants: ${howToCall('search_files')} finds them in the sources.`;
  if (relation === 'references' && kinds.length > 0 && !kinds.some((kind) => kind.includes('variable')))
    return `${none} It is not a variable but: ${kinds.join(', ')}.`;
  return none;
}

/** Returns one line for each entry, and a note with the number of omitted entries and how to get them. */
export function listed(lines: readonly string[], total: number, how = ''): string {
  const rest = total - lines.length;
  const more = rest > 0 ? [`… and ${rest} more${how === '' ? '' : `. ${how}`}`] : [];
  return [...lines.map((line) => `- ${line}`), ...more].join('\n');
}

/**
 * Returns the file and line of a source location, or the reason why there is none. The file name is relative if the file is in the project.
 */
export function placeText(
  { source, why }: Pick<FoundPlace, 'source' | 'why'>,
  { project }: Pick<ToolContext, 'project'>,
): string {
  if (source) return `${project.display(source.file)}${source.line === null ? '' : `:${source.line}`}`;
  return `(${why ?? 'no place known'})`;
}

function symbolLine({ printed, kinds, lambdaList, documentation }: SymbolRecord): string {
  const parts = [
    printed,
    ...(kinds.length === 0 ? [] : [`[${kinds.join(', ')}]`]),
    ...(lambdaList === null ? [] : [lambdaList]),
  ];
  return documentation === null ? parts.join(' ') : `${parts.join(' ')}: ${documentation}`;
}

/** Returns a line for each caller, with the locations of all its calls. */
function byCaller(references: readonly CrossReference[], context: Pick<ToolContext, 'project'>): string[] {
  const { project } = context;
  const callers = new Map<string, CrossReference[]>();
  for (const each of references) {
    const key = `${each.name} [${each.kind}]`;
    callers.set(key, [...(callers.get(key) ?? []), each]);
  }
  return [...callers].map(([caller, places]) => {
    const texts = places.map(
      (each) => placeText(each, context) + (each.snippet === null ? '' : `: ${each.snippet.trim()}`),
    );
    const [first = '', ...more] = [...new Set(texts)];
    const times = places.length > 1 && more.length === 0 ? ` (${places.length} times)` : '';
    const named = project.root === null ? caller : caller.replaceAll(`${project.root}/`, '');
    return [`${named} ${first}${times}`, ...more.map((each) => `  also ${each}`)].join('\n');
  });
}
