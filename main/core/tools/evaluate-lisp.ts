import { z } from 'zod';
import { summarize } from '#core/sessions/report.ts';
import { connectionOf } from './connection.ts';
import { evaluationText, formattedResult, toolErrorText } from './format.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import { Held } from './held.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** X18–X22, decision 27. */
export const evalForm = defineTool({
  name: 'eval_form',
  title: 'Evaluate a form',
  level: 'cautious',
  description:
    'Evaluate a form and get its primary value as plain text: a string as it is, nil for NIL, else as printed. Use it when only the value matters; what the form prints and its further values are shown by evaluate-lisp alone. After an error, get-last-error has the backtrace.',
  input: z.strictObject({
    form: z.string().min(1).describe('The form, for example "(length *orders*)".'),
    package: z
      .string()
      .optional()
      .describe('Package in which the form is read and evaluated. Defaults to the current package of this connection.'),
  }),
  openWorld: true,
  summarize: ({ form }) => summarize(form),
  run: async ({ form, package: pkg }, context) => {
    const evaluation = await evaluateFor(context, form, pkg ?? null);
    const { status, values, condition } = evaluation.report;
    const ended = { type: '', message: `The evaluation ended (${status}) without a value.` };
    return {
      success: status === 'ok',
      text: status === 'ok' ? formattedResult(values[0]) : toolErrorText(condition ?? ended),
      evaluation: { ...evaluation, code: form },
    };
  },
});

/** E1–E42. */
export const evaluateLisp = defineTool({
  name: 'evaluate_lisp',
  title: 'Evaluate Lisp',
  level: 'cautious',
  description:
    'Evaluate Common Lisp code in a persistent REPL session. Definitions and variables persist across calls. Answers with what was printed, warnings, and the values of the last form; an error comes with its condition type and backtrace. Use it to run code and to define things.',
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
  run: async ({ code, package: pkg, 'capture-time': captureTime }, context) => {
    const evaluation = await evaluateFor(context, code, pkg ?? null);
    const { report, output } = evaluation;
    return {
      success: report.status === 'ok',
      text: evaluationText(report, output, captureTime ?? false),
      evaluation: { ...evaluation, code },
    };
  },
});

/** Evaluates in the caller's context; the connection remembers it. What it had held in the debugger is given up before. */
export async function evaluateFor(
  who: ToolContext,
  code: string,
  pkg: string | null,
  onError: 'report' | 'hold' = 'report',
): Promise<Evaluation> {
  const { session, actor, context, call, signal } = who;
  const connection = connectionOf(who);
  await connection.letGo();
  const evaluation = await session.evaluate({
    evaluation: call,
    actor,
    context,
    code,
    package: pkg,
    interactive: false,
    source: null,
    signal,
    onError,
  });
  connection.remember(code, pkg, evaluation);
  if (evaluation.debugger) connection.held = new Held(session, call, evaluation.debugger);
  return evaluation;
}
