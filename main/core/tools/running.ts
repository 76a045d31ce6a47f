/** What code costs and what the image is doing: profiles, times, memory, threads. */
import { z } from 'zod';
import { memoryReport as memoryReportSchema, threadRecord } from '#contract/profiling.ts';
import { listed } from './looking-up.ts';
import { countOf, packageOf } from './names.ts';
import { runInTurn } from './runs.ts';
import { defineTool } from './tool.ts';

const codeInput = z.string().min(1).describe('Code; forms before the last prepare, only the last is measured.');
const MEGABYTE = 1024 * 1024;

export const profileCode = defineTool({
  name: 'profile_code',
  title: 'Profile code',
  level: 'cautious',
  description:
    'Run code under the statistical profiler: where time (or allocation) goes, by function and by call stack. Use it before you make something faster.',
  input: z.strictObject({
    code: codeInput,
    mode: z.enum(['cpu', 'alloc', 'time']).default('cpu').describe('Processor time, allocation, or elapsed time.'),
    package: packageOf,
  }),
  openWorld: true,
  summarize: ({ code }) => code,
  run: ({ code, mode, package: pkg }, context) =>
    runInTurn(
      context,
      'profile',
      { code, package: pkg ?? null, mode, intervalMs: null, limit: 50 },
      'profile',
      ({ samples, elapsedMs, functions, functionsTotal, stacks, valueText }) => {
        const head = `${samples} samples in ${elapsedMs.toFixed(0)} ms => ${valueText}`;
        if (samples === 0)
          return `${head}\nIt was over before a sample was taken. Let the code run longer, say in a loop.`;
        return [
          head,
          '',
          '[Functions] self % · self · total',
          listed(
            functions.map(
              ({ name, selfPercent, self, total }) => `${selfPercent.toFixed(1)} % · ${self} · ${total} ${name}`,
            ),
            functionsTotal,
          ),
          '',
          '[Stacks] samples · from the outermost',
          listed(
            stacks.slice(0, 20).map(({ frames, count }) => `${count} · ${frames.join(' > ')}`),
            stacks.length,
          ),
        ].join('\n');
      },
    ),
});

export const timeExecution = defineTool({
  name: 'time_execution',
  title: 'Time code',
  level: 'cautious',
  description:
    'Run code several times and tell how long each run took and what it allocated. Use it to compare two ways of doing the same.',
  input: z.strictObject({
    code: codeInput,
    runs: z.int().min(1).max(1000).default(5).describe('How often; 5 when left out.'),
    package: packageOf,
  }),
  openWorld: true,
  summarize: ({ code }) => code,
  run: ({ code, runs, package: pkg }, context) =>
    runInTurn(context, 'time-form', { code, package: pkg ?? null, runs }, 'time', (result) =>
      [
        `min ${result.minMs.toFixed(3)} ms, median ${result.medianMs.toFixed(3)} ms in ${result.runs.length} runs => ${result.valueText}`,
        listed(
          result.runs
            .slice(0, 20)
            .map(
              ({ realMs, runMs, gcMs, bytesConsed }) =>
                `${realMs.toFixed(3)} ms real, ${runMs.toFixed(3)} ms run, ${gcMs.toFixed(3)} ms GC, ${bytesConsed} bytes`,
            ),
          result.runs.length,
        ),
      ].join('\n'),
    ),
});

export const memoryReport = defineTool({
  name: 'memory_report',
  title: 'Memory',
  level: 'safe',
  description:
    'How much of the heap is used, and by instances of which types. Use it when the heap is full, or to find what grows.',
  input: z.strictObject({ count: countOf(100, 30) }),
  output: z.object({
    used: z.number(),
    size: z.number(),
    gc_ms: z.number(),
    types: memoryReportSchema.shape.types,
    total: z.int(),
  }),
  openWorld: false,
  summarize: () => '',
  run: async ({ count }, { session }) => {
    const { used, size, gcMs, types, total } = await session.lookUp('memory-report', {});
    const shown = types.slice(0, count);
    const lines = shown.map(({ type, count, bytes }) => `${(bytes / MEGABYTE).toFixed(2)} MB in ${count} ${type}`);
    const head = `${(used / MEGABYTE).toFixed(1)} of ${(size / MEGABYTE).toFixed(0)} MB used, ${gcMs.toFixed(0)} ms spent collecting`;
    const structured = { used, size, gc_ms: gcMs, types: shown, total };
    return { success: true, text: `${head}\n${listed(lines, total, 'A count of up to 100 shows more.')}`, structured };
  },
});

export const listThreads = defineTool({
  name: 'list_threads',
  title: 'Threads',
  level: 'safe',
  description:
    'The threads of the image with state and processor time. Use it when something hangs or runs that should have ended.',
  input: z.strictObject({}),
  output: z.object({ threads: z.array(threadRecord.omit({ evaluation: true })) }),
  openWorld: false,
  summarize: () => '',
  run: async (_args, { session }) => {
    const { threads } = await session.lookUp('threads', {});
    const lines = threads.map(({ id, name, state, ours, cpuMs }) => {
      const facts = [
        ...(state === null ? [] : [state]),
        ...(cpuMs === null ? [] : [`${cpuMs} ms of processor`]),
        ...(ours ? ["the workbench's own"] : []),
      ];
      return `${id ?? '?'} ${name ?? 'unnamed'} (${facts.join(', ')})`;
    });
    const told = threads.map(({ evaluation: _evaluation, ...rest }) => rest);
    return { success: true, text: listed(lines, lines.length), structured: { threads: told } };
  },
});
