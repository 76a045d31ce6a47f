/** The tool that collects a function's calls, with arguments and values, for one connection (D11). */
import { z } from 'zod';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import { connectionOf } from '../connection/connection.ts';
import { countOf, explainMissing, inPackage, packageOf, startOf } from '../lookup/names.ts';
import { suggestionText } from '#core/base/suggestions.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';
import type { Tracing } from '../connection/tracing.ts';

const MOST = 500;

/** The tool `trace_function`: it starts, reports and stops the collection of calls. */
export const traceFunction = defineTool({
  name: 'trace_function',
  title: 'Trace a function',
  level: 'cautious',
  description:
    'Trace a function: start, run the code, then report lists its calls with arguments and values, and stop ends it. Use it to see what happens inside code without changing it.',
  input: z.strictObject({
    action: z.enum(['start', 'stop', 'report']).describe('The action.'),
    symbol: z.string().min(1).optional().describe('Such as "shop:total" or "(setf price)"; needed to start.'),
    package: packageOf,
    methods: z.boolean().optional().describe('With start: its methods too.'),
    start: startOf,
    count: countOf(MOST, 100),
  }),
  openWorld: false,
  summarize: ({ action, symbol: name, package: pkg }) => `${action} ${inPackage(name ?? 'all', pkg)}`,
  run: async ({ action, symbol: name, package: pkg, methods, start, count }, context) => {
    const { tracing } = connectionOf(context);
    if (name === undefined) {
      if (action === 'start') return { success: false, text: 'Tool error: Name the function to trace.' };
      return action === 'stop' ? stopped(await tracing.stop(null)) : reported(tracing, null, start, count);
    }
    const { session, connectionId: id } = context;
    const inner = /^\(\s*setf\s+(.+?)\s*\)$/i.exec(name)?.[1];
    const symbol = inner ?? name;
    const found = await session.lookUp('describe-symbol', { context: id, symbol, package: pkg ?? null });
    if (!found.found) return explainMissing(context, symbol, pkg, 'function');
    const printed = inner === undefined ? found.symbol : `(SETF ${found.symbol})`;
    if (action === 'start') return begin(context, tracing, { name, printed, symbol, pkg, methods: methods ?? false });
    if (!tracing.functions.some((each) => each.includes(printed)) && action === 'stop')
      return {
        success: false,
        text: `${printed} is not traced for this connection.${suggestionText(printed, tracing.functions)}`,
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
    text: `No longer traced: ${functions.join(', ')}. The collected calls can still be reported.`,
  };
}

function reported(tracing: Tracing, printed: string | null, start: number, count: number): ToolOutcome {
  const calls = tracing.calls.filter((each) => printed === null || each.function.includes(printed));
  const traced = tracing.functions.length > 0 ? `Traced: ${tracing.functions.join(', ')}` : 'Nothing is traced now';
  if (calls.length === 0) return { success: true, text: `${traced}; no calls were collected.` };
  const page = calls.slice(start, start + count);
  const end = start + page.length;
  const rest = end < calls.length ? [`… ${calls.length - end} more: report again with start ${end}`] : [];
  const lost = tracing.lost > 0 ? `, ${tracing.lost} more were not stored` : '';
  const head = `${traced}; ${calls.length} entries, ${start} to ${end - 1} shown${lost}`;
  if (page.length === 0)
    return {
      success: true,
      text: `${traced}; there are only ${calls.length} entries, so there is nothing to show from entry ${start} on.`,
    };
  return { success: true, text: [head, ...page.map(callLine), ...rest].join('\n') };
}

function callLine({ function: name, depth, kind, values: all }: TracedCall): string {
  const values = all.map(({ text }) => text);
  const indent = '  '.repeat(Math.min(depth, 20));
  if (kind === 'enter') return `${indent}${depth}: (${[name, ...values].join(' ')})`;
  if (kind === 'unwound') return `${indent}${depth}: ${name} was left without a value`;
  return `${indent}${depth}: ${name} => ${values.length > 0 ? values.join(', ') : 'no values'}`;
}
