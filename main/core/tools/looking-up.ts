/** Finding names, where they are defined and where they are used. */
import { z } from 'zod';
import {
  relation as relations,
  type CrossReference,
  type FoundPlace,
  type SymbolRecord,
} from '#contract/introspection.ts';
import { explainMissing, findPackage, inPackage, limitOf, nameOf, noPackageText, packageOf } from './names.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

export const aproposSearch = defineTool({
  name: 'apropos_search',
  title: 'Search names',
  level: 'safe',
  description:
    'Symbols with a meaning whose name contains a text. Use it to find out what there is before you write your own.',
  input: z.strictObject({
    pattern: z.string().min(1).describe('Part of the name, in any case.'),
    package: z.string().optional().describe('Where to look. Left out: every package but the insides of SBCL and ASDF.'),
    limit: limitOf(500, 50),
  }),
  openWorld: false,
  summarize: ({ pattern, package: pkg }) => inPackage(pattern, pkg),
  run: async ({ pattern, package: pkg, limit }, { session }) => {
    const asked = { pattern, package: pkg ?? null, externalOnly: false, kinds: null, documentation: false, limit };
    const { symbols, total } = await session.lookUp('apropos', asked);
    if (symbols.length === 0) return { success: true, text: `No name contains ${JSON.stringify(pattern)}.` };
    return { success: true, text: listed(symbols.map(symbolLine), total) };
  },
});

export const functionArglist = defineTool({
  name: 'function_arglist',
  title: 'Lambda list',
  level: 'safe',
  description: 'The lambda list of a function, macro, generic function or special operator.',
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
    'Where every definition of a name stands: functions, methods, variables, classes, types, macros, systems.',
  input: z.strictObject({ symbol: nameOf('The name', '"print-object"'), package: packageOf }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => inPackage(symbol, pkg),
  run: async ({ symbol, package: pkg }, context) => {
    const asked = { context: context.context, symbol, package: pkg ?? null };
    const { found, definitions, total } = await context.session.lookUp('find-definition', asked);
    if (!found || definitions.length === 0) return explainMissing(context, symbol, pkg, 'definition');
    const lines = definitions.map((each) => `${each.name} [${each.kind}] ${placeText(each)}`);
    return { success: true, text: listed(lines, total) };
  },
});

export const whoCalls = defineTool({
  name: 'who_calls',
  title: 'Who calls',
  level: 'safe',
  description: 'Functions that call a function, with the place of each call.',
  input: z.strictObject({
    function: nameOf('Name of the function', '"area"'),
    package: packageOf,
    limit: limitOf(500, 100),
  }),
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: ({ function: name, package: pkg, limit }, context) => references(context, name, pkg, 'called-by', limit),
});

export const whoReferences = defineTool({
  name: 'who_references',
  title: 'Who references',
  level: 'safe',
  description: 'Functions that refer to a variable, with the place of each reference.',
  input: z.strictObject({
    variable: nameOf('Name of the variable', '"*cache*"'),
    package: packageOf,
    limit: limitOf(500, 100),
  }),
  openWorld: false,
  summarize: ({ variable, package: pkg }) => inPackage(variable, pkg),
  run: ({ variable, package: pkg, limit }, context) => references(context, variable, pkg, 'references', limit),
});

export const crossReferences = defineTool({
  name: 'cross_references',
  title: 'Cross references',
  level: 'safe',
  description:
    'Other uses of a name: what a function calls, who binds or sets a variable, expands a macro, specializes on a class.',
  input: z.strictObject({
    symbol: nameOf('The name', '"*cache*"'),
    relation: relations.describe('Which uses.'),
    package: packageOf,
    limit: limitOf(500, 100),
  }),
  openWorld: false,
  summarize: ({ symbol, relation, package: pkg }) => `${relation} ${inPackage(symbol, pkg)}`,
  run: ({ symbol, relation, package: pkg, limit }, context) => references(context, symbol, pkg, relation, limit),
});

export const listPackageSymbols = defineTool({
  name: 'list_package_symbols',
  title: 'Symbols of a package',
  level: 'safe',
  description: 'The symbols that a package exports, with what each names.',
  input: z.strictObject({
    package: z.string().min(1).describe('Name or nickname of the package.'),
    include_internal: z.boolean().optional().describe('With those that are not exported.'),
    limit: limitOf(1000, 200),
  }),
  openWorld: false,
  summarize: ({ package: pkg }) => pkg,
  run: async ({ package: pkg, include_internal, limit }, { session }) => {
    if (!(await findPackage(session, pkg))) return { success: false, text: await noPackageText(session, pkg) };
    const own = await session.lookUp('package-symbols', {
      package: pkg,
      which: 'external',
      filter: null,
      offset: 0,
      limit,
    });
    const inner = include_internal
      ? await session.lookUp('package-symbols', { package: pkg, which: 'internal', filter: null, offset: 0, limit })
      : null;
    const sections = [
      `[External] ${own.total}\n${listed(own.symbols.map(symbolLine), own.total)}`,
      ...(inner ? [`[Internal] ${inner.total}\n${listed(inner.symbols.map(symbolLine), inner.total)}`] : []),
    ];
    return { success: true, text: sections.join('\n\n').trimEnd() };
  },
});

async function references(
  context: ToolContext,
  symbol: string,
  pkg: string | undefined,
  relation: (typeof relations.options)[number],
  limit: number,
): Promise<ToolOutcome> {
  const asked = { context: context.context, symbol, package: pkg ?? null, relation, limit };
  const reply = await context.session.lookUp('cross-references', asked);
  if (!reply.found) return explainMissing(context, symbol, pkg, 'definition');
  if (reply.references.length === 0) return { success: true, text: `Nothing found: ${relation} ${reply.symbol}.` };
  return { success: true, text: listed(reply.references.map(referenceLine), reply.total) };
}

/** One line each, and how many more there are. */
export function listed(lines: readonly string[], total: number): string {
  const rest = total - lines.length;
  return [...lines.map((line) => `- ${line}`), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

/** File and line, or why there is none. */
export function placeText({ source, why }: Pick<FoundPlace, 'source' | 'why'>): string {
  if (source) return `${source.file}${source.line === null ? '' : `:${source.line}`}`;
  return `(${why ?? 'no place known'})`;
}

function symbolLine({ printed, kinds, lambdaList, documentation }: SymbolRecord): string {
  const parts = [printed, `[${kinds.join(', ')}]`, ...(lambdaList === null ? [] : [lambdaList])];
  return documentation === null ? parts.join(' ') : `${parts.join(' ')}: ${documentation}`;
}

function referenceLine(reference: CrossReference): string {
  const line = reference.snippet === null ? '' : `: ${reference.snippet.trim()}`;
  return `${reference.name} [${reference.kind}] ${placeText(reference)}${line}`;
}
