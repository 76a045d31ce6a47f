/** The tools that measure code: profiles and times. */
import { z } from 'zod';
import { listed } from '../lookup/lookup.ts';
import { packageOf } from '../lookup/names.ts';
import { runInTurn } from '../runs.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool } from '../tool.ts';
import { joinedStacks } from './joined-stacks.ts';

const codeInput = z.string().min(1).describe('Only the last form is measured.');

/** Code that runs for fewer milliseconds than this may end before the first sample. */
const SHORT = 50;

/** Returns the reason why a profile has no samples. */
function withoutSamples(mode: 'cpu' | 'alloc' | 'time', elapsedMs: number): string {
  if (mode === 'alloc') return 'The code allocated too little for a sample. Run it more often, for example in a loop.';
  if (elapsedMs < SHORT) return 'The code ended before a sample was taken. Let it run longer, for example in a loop.';
  if (mode === 'cpu')
    return 'No samples: this thread was waiting, or other threads did the work. The mode "time" includes waiting.';
  return 'No sample of this thread was taken. Profile the code again; if there is still no sample, reset-session gives it a new thread.';
}

export const profileCode = defineTool({
  name: 'profile_code',
  title: 'Profile code',
  level: 'cautious',
  description:
    'Run code under the statistical profiler: shows what is slow or allocates, by function and call stack. Use it before you make something faster.',
  input: z.strictObject({
    code: codeInput,
    mode: z.enum(['cpu', 'alloc', 'time']).default('cpu').describe('What to sample; time includes waiting.'),
    package: packageOf,
    ...TIMEOUT,
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
        if (samples === 0) return `${head}\n${withoutSamples(mode, elapsedMs)}`;
        const shown = functions.filter(({ self }) => self * 100 >= samples);
        const joined = joinedStacks(stacks, samples / 100);
        return [
          head,
          '',
          '[Functions] self % · self · total',
          listed(
            shown.map(
              ({ name, selfPercent, self, total }) => `${selfPercent.toFixed(1)} % · ${self} · ${total} ${name}`,
            ),
            functionsTotal,
            'Each of these has less than 1 % self time.',
          ),
          '',
          '[Stacks] samples · frames, outermost first',
          listed(joined.slice(0, 20), joined.length),
        ].join('\n');
      },
    ),
});

export const timeExecution = defineTool({
  name: 'time_execution',
  title: 'Time code',
  level: 'cautious',
  description: 'Measure the time and the allocation of code over several runs. Use it to compare two solutions.',
  input: z.strictObject({
    code: codeInput,
    runs: z.int().min(1).max(1000).default(5).describe('Number of runs.'),
    package: packageOf,
    ...TIMEOUT,
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
