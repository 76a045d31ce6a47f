/** The tool with which a client inspects an object part by part (D7). */
import { z } from 'zod';
import { inspectedPage, type InspectedPage, type InspectedPart } from '#contract/image/inspection.ts';
import { connectionOf } from '../connection/connection.ts';
import { countOf, lookUp, missing, packageOf, startOf } from './names.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

const MOST_PARTS = 200;

const part = inspectedPage.shape.parts.element.omit({ editable: true, path: true });

/** The tool `inspect_object`. It takes a name or a handle instead of a form, because it never evaluates code. */
export const inspectObject = defineTool({
  name: 'inspect_object',
  title: 'Inspect an object',
  level: 'safe',
  description:
    'Look into an object part by part: slots, elements, table entries. Begin with a variable (`*` is your last value), continue with the handles of parts. Use it if the printed value is too long or shows too little; it evaluates nothing.',
  input: z.strictObject({
    expression: z
      .string()
      .min(1)
      .optional()
      .describe('A variable such as "*orders*" or "*", \'symbol or #\'function; no other form.'),
    handle: z.int().optional().describe('A handle, instead of an expression.'),
    package: packageOf,
    view: z.string().optional().describe('One of the views that the answer names.'),
    start: startOf,
    count: countOf(MOST_PARTS, 50),
  }),
  output: z.object({
    handle: z.int(),
    ...inspectedPage.omit({ expired: true, offset: true, drawings: true }).shape,
    start: z.int(),
    parts: z.array(part),
  }),
  openWorld: false,
  summarize: ({ expression, handle }) => expression ?? `handle ${handle ?? 'missing'}`,
  run: async ({ expression, handle, package: pkg, view, start, count }, context) => {
    if ((expression === undefined) === (handle === undefined))
      return { success: false, text: 'Tool error: Give either an expression or a handle.' };
    const wanted = { view: view ?? null, offset: start, limit: count, package: pkg ?? null };
    return expression === undefined
      ? inspectHandle(context, handle!, wanted)
      : inspectName(context, expression, wanted);
  },
});

interface Wanted {
  readonly view: string | null;
  readonly offset: number;
  readonly limit: number;
  readonly package: string | null;
}

async function inspectHandle(context: ToolContext, handle: number, wanted: Wanted): Promise<ToolOutcome> {
  const { handles } = connectionOf(context);
  const gone = `The handle ${handle} is unknown or no longer valid on this connection. Inspect the variable again to get handles.`;
  if (!handles.has(handle)) return { success: false, text: gone };
  const page = await context.session.lookUp('inspect', { handle, holder: handles.holder(), ...wanted });
  return page.expired ? { success: false, text: gone } : shown(context, handle, page, wanted);
}

async function inspectName(who: ToolContext, name: string, wanted: Wanted): Promise<ToolOutcome> {
  const { session, connectionId } = who;
  const holder = connectionOf(who).handles.holder();
  const { found, handle, page } = await lookUp(who, 'inspect-name', { context: connectionId, name, holder, ...wanted });
  if (found) return shown(who, handle!, page!, wanted);
  if (/[\s("]/.test(name.replace(/^#?'/, '')))
    return {
      success: false,
      text: `${name} is not a name, and this tool evaluates nothing. Evaluate it with evaluate-lisp, then inspect \`*\`.`,
    };
  const symbol = name.replace(/^#?'/, '');
  const reply = await session.lookUp('describe-symbol', { context: connectionId, symbol, package: wanted.package });
  if (reply.found) return { success: false, text: `${reply.symbol} does not name a function.` };
  return missing(who, reply);
}

function shown(context: ToolContext, handle: number, page: InspectedPage, { view, offset }: Wanted): ToolOutcome {
  const { handles } = connectionOf(context);
  handles.add([handle, ...page.parts.flatMap((each) => [each.handle, each.keyHandle])]);
  if (view !== null && page.view !== view)
    return { success: false, text: `There is no view ${view}. Views: ${page.views.join(', ') || 'none'}.` };
  const { expired: _expired, drawings: _drawings, offset: start, parts, ...facts } = page;
  const data = { handle, ...facts, start, parts: parts.map(({ editable: _editable, path: _path, ...rest }) => rest) };
  return { success: true, text: pageText(handle, page, offset), structured: data };
}

function pageText(handle: number, page: InspectedPage, start: number): string {
  const { title, type, views, view, facts, parts, total, more, problem } = page;
  const end = start + parts.length;
  const head = [
    `${title} (handle ${handle})`,
    `Type: ${type}`,
    ...printedLine(page, start),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...(views.length > 1 ? [`Views: ${views.join(', ')}`] : []),
    ...(problem === null ? [] : [`The parts cannot be shown: ${problem}`]),
  ];
  if (parts.length === 0) {
    const beyond = start > 0 && total > 0 ? [`No parts from ${start}; the object has ${total}.`] : [];
    return [...head, ...beyond].join('\n');
  }
  const rest = more ? [`… more: call again with handle ${handle}${viewText(view, views)} and start ${end}`] : [];
  const span = `[${view ?? 'parts'}] ${start} to ${end - 1} of ${total}${more && end >= total ? ' or more' : ''}`;
  return [...head, '', span, ...grouped(parts), ...rest].join('\n');
}

/** The maximum length of an object's printed text if the object's parts are listed below it. */
const LONGEST_BESIDE_PARTS = 300;

/**
 * Returns the line with the printed text, which is on the first page only. The text is shortened if the parts show the same information.
 */
function printedLine({ text, cut, parts }: InspectedPage, start: number): string[] {
  if (start > 0) return [];
  const shown = parts.length === 0 ? text : text.slice(0, LONGEST_BESIDE_PARTS);
  const rest = cut + text.length - shown.length;
  return [`Printed: ${shown}${rest > 0 ? ` … ${rest} characters not shown` : ''}`];
}

/** Returns a note about the view; empty for the first view. */
function viewText(view: string | null, views: readonly string[]): string {
  return view === null || view === views[0] ? '' : `, view ${view}`;
}

function grouped(parts: readonly InspectedPart[]): string[] {
  let group: string | null = null;
  return parts.flatMap((each) => {
    const lines = each.group !== null && each.group !== group ? [`${each.group}:`] : [];
    group = each.group;
    return [...lines, partLine(each)];
  });
}

function partLine({ label, text, type, handle, keyHandle, note }: InspectedPart): string {
  const facts = [
    ...(note === null ? [] : [note]),
    ...(type === null ? [] : [type]),
    ...(keyHandle === null ? [] : [`key handle ${keyHandle}`]),
    ...(handle === null ? [] : [`handle ${handle}`]),
  ];
  return `- ${label}: ${text}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}
