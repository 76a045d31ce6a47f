import { z } from 'zod';
import { summarize } from '#core/sessions/report.ts';
import { evaluationText } from './format.ts';
import { defineTool } from './tool.ts';

/** E1–E42. */
export const evaluateLisp = defineTool({
  name: 'evaluate_lisp',
  title: 'Evaluate Lisp',
  level: 'cautious',
  description:
    'Evaluate Common Lisp code in a persistent REPL session. Definitions and variables persist across calls. Answers with what was printed, warnings, and the values of the last form; an error comes with its condition type and backtrace.',
  input: z.strictObject({
    code: z.string().describe('Common Lisp expression(s) to evaluate. Can be a single form or multiple forms.'),
    package: z
      .string()
      .optional()
      .describe('Package context for evaluation. Defaults to CL-USER or the last-used package.'),
    'capture-time': z
      .boolean()
      .optional()
      .describe('If true, include timing information (real time, run time, GC time, bytes consed) in the result.'),
  }),
  openWorld: true,
  summarize: ({ code }) => summarize(code),
  run: async ({ code, package: pkg, 'capture-time': captureTime }, { session, actor, context, call, signal }) => {
    const evaluation = await session.evaluate({
      evaluation: call,
      actor,
      context,
      code,
      package: pkg ?? null,
      interactive: false,
      source: null,
      signal,
    });
    const { report, output } = evaluation;
    return {
      success: report.status === 'ok',
      text: evaluationText(report, output, captureTime ?? false),
      evaluation: { ...evaluation, code },
    };
  },
});
