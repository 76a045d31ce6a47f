import { z } from 'zod';
import type { TracedCall } from '#contract/profiling.ts';
import { connectionOf } from './connection.ts';
import { explainMissing, inPackage, packageOf } from './names.ts';
import { nearText } from './near.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';
import type { Tracing } from './tracing.ts';

const MOST = 500;

/** D11 for clients. */
export const traceFunction = defineTool({
  name: 'trace_function',
  title: 'Trace a function',
  level: 'cautious',
  description:
    'Collect the calls of a function with arguments and values: `start`, run the code, `report`, `stop`. Use it to see what happens inside code without changing it. Nothing is printed; the calls are kept for this connection.',
  input: z.strictObject({
    action: z
      .enum(['start', 'stop', 'report'])
      .describe('start collects the calls, report shows what was collected, stop ends it.'),
    function: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Name of the function, with or without a package prefix, for example "shop:total" or "(setf price)". Needed to start; else left out for all.',
      ),
    package: packageOf,
    methods: z.boolean().optional().describe('With start: also the methods that a generic function has now.'),
    start: z.int().min(0).default(0).describe('With report: index of the first entry to show; 0 when left out.'),
    count: z
      .int()
      .min(1)
      .max(MOST)
      .default(100)
      .describe(`With report: at most so many entries; 100 when left out, ${MOST} at most.`),
  }),
  openWorld: false,
  summarize: ({ action, function: name, package: pkg }) => `${action} ${inPackage(name ?? 'all', pkg)}`,
  run: async ({ action, function: name, package: pkg, methods, start, count }, context) => {
    const { tracing } = connectionOf(context);
    if (name === undefined) {
      if (action === 'start') return { success: false, text: 'Tool error: Name the function to trace.' };
      return action === 'stop' ? stopped(await tracing.stop(null)) : reported(tracing, null, start, count);
    }
    const { session, context: id } = context;
    const inner = /^\(\s*setf\s+(.+?)\s*\)$/i.exec(name)?.[1];
    const symbol = inner ?? name;
    const found = await session.lookUp('describe-symbol', { context: id, symbol, package: pkg ?? null });
    if (!found.found) return explainMissing(context, symbol, pkg, 'function');
    const printed = inner === undefined ? found.symbol : `(SETF ${found.symbol})`;
    if (action === 'start') return begin(context, tracing, { name, printed, symbol, pkg, methods: methods ?? false });
    if (!tracing.functions.some((each) => each.includes(printed)) && action === 'stop')
      return {
        success: false,
        text: `${printed} is not traced for this connection.${nearText(printed, tracing.functions)}`,
      };
    return action === 'stop' ? stopped(await tracing.stop(printed)) : reported(tracing, printed, start, count);
  },
});

async function begin(
  context: ToolContext,
  tracing: Tracing,
  what: { name: string; printed: string; symbol: string; pkg: string | undefined; methods: boolean },
): Promise<ToolOutcome> {
  const { name, printed, symbol, pkg, methods } = what;
  const before = tracing.functions.length;
  const problem = await tracing.start(name, printed, pkg ?? null, methods);
  if (problem !== null) {
    const why = await explainMissing(context, symbol, pkg, 'function that can be traced');
    return { success: false, text: `${why.text} ${problem}` };
  }
  if (before === 0) tracing.clear();
  return {
    success: true,
    text: `Traced: ${tracing.functions.join(', ')}\nRun the code now; then call this again with the action report.`,
  };
}

function stopped(functions: readonly string[]): ToolOutcome {
  if (functions.length === 0) return { success: true, text: 'Nothing was traced for this connection.' };
  return {
    success: true,
    text: `Not traced any more: ${functions.join(', ')}. What was collected can still be reported.`,
  };
}

function reported(tracing: Tracing, printed: string | null, start: number, count: number): ToolOutcome {
  const calls = tracing.calls.filter((each) => printed === null || each.function.includes(printed));
  const traced = tracing.functions.length > 0 ? `Traced: ${tracing.functions.join(', ')}` : 'Nothing is traced now';
  if (calls.length === 0) return { success: true, text: `${traced}; no calls were collected.` };
  const page = calls.slice(start, start + count);
  const end = start + page.length;
  const rest = end < calls.length ? [`… ${calls.length - end} more: report again with start ${end}`] : [];
  const lost = tracing.lost > 0 ? `, ${tracing.lost} more were not kept` : '';
  const head = `${traced}; ${calls.length} entries, ${start} to ${end - 1} shown${lost}`;
  if (page.length === 0)
    return { success: true, text: `${traced}; there are ${calls.length} entries, none from ${start} on.` };
  return { success: true, text: [head, ...page.map(callLine), ...rest].join('\n') };
}

function callLine({ function: name, depth, kind, values }: TracedCall): string {
  const indent = '  '.repeat(Math.min(depth, 20));
  if (kind === 'enter') return `${indent}${depth}: (${[name, ...values].join(' ')})`;
  if (kind === 'unwound') return `${indent}${depth}: ${name} was left without a value`;
  return `${indent}${depth}: ${name} => ${values.length > 0 ? values.join(', ') : 'no values'}`;
}
