/** Finding names, where they are defined and where they are used. */
import { z } from 'zod';
import {
  crossReference,
  foundDefinition,
  relation as relations,
  type CrossReference,
  type FoundPlace,
  type SymbolRecord,
} from '#contract/introspection.ts';
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
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

/** Of what a contract gives no parameter for. */
const FOUND = 100;
const LISTED = 500;
const FIRST = { start: 0, count: 200 };

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
    'Symbols with a meaning whose name contains a text. Use it to find out what there is before you write your own.',
  input: z.strictObject({
    pattern: z.string().min(1).describe('Part of the name, in any case; a plain text, no regular expression.'),
    package: z.string().optional().describe('Where to look. Left out: every package but the insides of SBCL and ASDF.'),
  }),
  openWorld: false,
  summarize: ({ pattern, package: pkg }) => inPackage(pattern, pkg),
  run: async ({ pattern: given, package: pkg }, context) => {
    const [, prefix, rest] = (pkg === undefined && /^([^\s:|"()]+)::?([^\s:]+)$/.exec(given)) || [];
    const pattern = rest ?? given;
    const where = pkg ?? prefix ?? null;
    const options = { externalOnly: false, kinds: null, documentation: false, limit: FOUND };
    const { symbols, total } = await lookUp(context, 'apropos', { pattern, package: where, ...options });
    if (symbols.length === 0) {
      const home = where === null ? '' : ` in the package ${where}`;
      return { success: true, text: `No name${home} contains ${JSON.stringify(pattern)}.` };
    }
    return {
      success: true,
      text: listed(symbols.map(symbolLine), total, 'Search for more of the name, or in a package.'),
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
    function: nameOf('Name of the function', '"mapcar" or "uiop:run-program"'),
    package: packageOf,
  }),
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ function: name, package: pkg }, context) => {
    const asked = { context: context.context, symbol: name, package: pkg ?? null };
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
    'Where every definition of a name stands: functions, methods, variables, classes, types, macros, systems. Use it to know which file to read.',
  input: z.strictObject({ symbol: nameOf('The name', '"print-object"'), package: packageOf }),
  output: z.object({ symbol: z.string(), definitions: z.array(foundDefinition), total: z.int() }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => inPackage(symbol, pkg),
  run: async ({ symbol, package: pkg }, context) => {
    const asked = { context: context.context, symbol, package: pkg ?? null };
    const { symbol: printed, definitions, total } = await lookUp(context, 'find-definition', asked);
    if (definitions.length === 0) return explainMissing(context, symbol, pkg, 'definition');
    const lines = definitions.map((each) => `${each.name} [${each.kind}] ${placeText(each)}`);
    const rest = 'For methods use generic-function-methods.';
    return { success: true, text: listed(lines, total, rest), structured: { symbol: printed, definitions, total } };
  },
});

export const whoCalls = defineTool({
  name: 'who_calls',
  title: 'Who calls',
  level: 'safe',
  description: 'Functions that call a function, with the place of each call. Use it before you change a function.',
  input: z.strictObject({
    function: nameOf('Name of the function', '"area"'),
    package: packageOf,
  }),
  output: referencesOutput,
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: ({ function: name, package: pkg }, context) => references(context, name, pkg, 'called-by', FIRST),
});

export const whoReferences = defineTool({
  name: 'who_references',
  title: 'Who references',
  level: 'safe',
  description:
    'Functions that refer to a variable, with the place of each reference. Use it before you change a variable.',
  input: z.strictObject({
    variable: nameOf('Name of the variable', '"*cache*"'),
    package: packageOf,
  }),
  output: referencesOutput,
  openWorld: false,
  summarize: ({ variable, package: pkg }) => inPackage(variable, pkg),
  run: ({ variable, package: pkg }, context) => references(context, variable, pkg, 'references', FIRST),
});

export const crossReferences = defineTool({
  name: 'cross_references',
  title: 'Cross references',
  level: 'safe',
  description:
    'Other uses of a name: what a function calls, who binds or sets a variable, expands a macro, specializes on a class. Use it before you change something that is more than a function.',
  input: z.strictObject({
    symbol: nameOf('The name', '"*cache*"'),
    relation: relations.describe('Which uses.'),
    package: packageOf,
    start: startOf,
    count: countOf(500, 100),
  }),
  output: referencesOutput,
  openWorld: false,
  summarize: ({ symbol, relation, package: pkg }) => `${relation} ${inPackage(symbol, pkg)}`,
  run: ({ symbol, relation, package: pkg, start, count }, context) =>
    references(context, symbol, pkg, relation, { start, count }),
});

export const listPackageSymbols = defineTool({
  name: 'list_package_symbols',
  title: 'Symbols of a package',
  level: 'safe',
  description: 'The symbols that a package exports, with what each names. Use it to learn what a library offers.',
  input: z.strictObject({
    package: z.string().min(1).describe('Name or nickname of the package.'),
    include_internal: z.boolean().optional().describe('With those that are not exported.'),
  }),
  openWorld: false,
  summarize: ({ package: pkg }) => pkg,
  run: async ({ package: pkg, include_internal }, { session }) => {
    if (!(await findPackage(session, pkg))) return { success: false, text: await noPackageText(session, pkg) };
    const asked = { package: pkg, filter: null, offset: 0, limit: LISTED };
    const own = await session.lookUp('package-symbols', { ...asked, which: 'external' });
    const inner = include_internal ? await session.lookUp('package-symbols', { ...asked, which: 'internal' }) : null;
    const rest = 'Find them by a part of their name with apropos-search in this package.';
    const sections = [
      `[External] ${own.total}\n${listed(own.symbols.map(symbolLine), own.total, rest)}`,
      ...(inner ? [`[Internal] ${inner.total}\n${listed(inner.symbols.map(symbolLine), inner.total, rest)}`] : []),
    ];
    return { success: true, text: sections.join('\n\n').trimEnd() };
  },
});

async function references(
  context: ToolContext,
  symbol: string,
  pkg: string | undefined,
  relation: (typeof relations.options)[number],
  { start, count }: { start: number; count: number },
): Promise<ToolOutcome> {
  const asked = { context: context.context, symbol, package: pkg ?? null, relation, limit: start + count };
  const reply = await lookUp(context, 'cross-references', asked);
  if (!reply.found) return explainMissing(context, symbol, pkg, 'definition');
  const { total } = reply;
  const found = reply.references.slice(start);
  const structured = { symbol: reply.symbol, relation, references: found, total, start };
  if (total === 0) return { success: true, text: await noneText(context, symbol, pkg, relation), structured };
  if (found.length === 0) return { success: true, text: `There are ${total} and none from ${start} on.`, structured };
  const next = start + found.length;
  const rest = `Use cross-references with the relation ${relation} and start ${next}.`;
  return { success: true, text: listed(found.map(referenceLine), total - start, rest), structured };
}

const NONE: Record<(typeof relations.options)[number], (name: string) => string> = {
  calls: (name) => `${name} calls no function by name.`,
  'called-by': (name) => `No code that is loaded calls ${name}.`,
  references: (name) => `No code that is loaded refers to ${name}.`,
  binds: (name) => `No code that is loaded binds ${name}.`,
  sets: (name) => `No code that is loaded sets ${name}.`,
  macroexpands: (name) => `No code that is loaded expands ${name}.`,
  specializes: (name) => `No method specializes on ${name}.`,
  'callers-by-object': (name) => `No function that is loaded holds the function ${name}.`,
};

/** That nothing was found, and where to look when the name is of another kind than was asked about. */
async function noneText(
  { session, context }: ToolContext,
  symbol: string,
  pkg: string | undefined,
  relation: (typeof relations.options)[number],
): Promise<string> {
  const reply = await session.lookUp('describe-symbol', { context, symbol, package: pkg ?? null });
  const kinds = reply.meanings.map(({ kind }) => kind);
  const none = NONE[relation](reply.symbol);
  if (relation === 'called-by' && kinds.includes('macro'))
    return `${none} It is a macro: cross-references with the relation macroexpands tells who expands it.`;
  if (relation === 'called-by' && kinds.length > 0 && !kinds.some((kind) => kind.includes('function')))
    return `${none} It names no function but: ${kinds.join(', ')}.`;
  if (relation === 'references' && kinds.includes('constant'))
    return `${none} It is a constant, whose uses are compiled away: search-files finds them in the sources.`;
  if (relation === 'references' && kinds.length > 0 && !kinds.some((kind) => kind.includes('variable')))
    return `${none} It names no variable but: ${kinds.join(', ')}.`;
  return none;
}

/** One line each, and how many more there are, with how to get them. */
export function listed(lines: readonly string[], total: number, how = ''): string {
  const rest = total - lines.length;
  const more = rest > 0 ? [`… and ${rest} more${how === '' ? '' : `. ${how}`}`] : [];
  return [...lines.map((line) => `- ${line}`), ...more].join('\n');
}

/** File and line, or why there is none. */
export function placeText({ source, why }: Pick<FoundPlace, 'source' | 'why'>): string {
  if (source) return `${source.file}${source.line === null ? '' : `:${source.line}`}`;
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

function referenceLine(reference: CrossReference): string {
  const line = reference.snippet === null ? '' : `: ${reference.snippet.trim()}`;
  return `${reference.name} [${reference.kind}] ${placeText(reference)}${line}`;
}
