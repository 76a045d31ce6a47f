/** The tools that evaluate code in the connection's image. One returns all values, the other only the primary value (E1–E42, X18–X22). */
import { z } from 'zod';
import type { ConditionRecord } from '#contract/image/condition.ts';
import { summarize } from '#core/sessions/report.ts';
import { connectionOf } from '../connection/connection.ts';
import { heldOutcome, heldRecord } from '../debugging/held-error.ts';
import { printedText } from '../replies/printed-text.ts';
import { evaluationParts, formattedResult, toolErrorText } from '../replies/format.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import { SuspendedEvaluation } from '../connection/suspended-evaluation.ts';
import { readingFault, unbalancedSection } from '../replies/reading-fault.ts';
import { nearNames } from './near-names.ts';
import { staleUsers } from '../definitions/stale-users.ts';
import { replyOf } from '../replies/reply-parts.ts';
import { LARGEST_SIZE, wantedSize } from '../replies/reply-sizes.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** The tool `eval_form`: returns the primary value of one form as plain text (X18–X22, decision 27). */
export const evalForm = defineTool({
  name: 'eval_form',
  title: 'Evaluate a form',
  level: 'cautious',
  description:
    'Evaluate a form and get its primary value as plain text: strings without quotes, nil for NIL, other values as printed. Use it when only the value matters; only evaluate-lisp shows what the form prints and its other values. After an error, get-last-error has the backtrace.',
  input: z.strictObject({
    form: z.string().min(1).describe('The form, for example "(length *orders*)".'),
    package: z
      .string()
      .optional()
      .describe('Package in which the form is read and evaluated. Defaults to the current package of this connection.'),
    ...TIMEOUT,
  }),
  openWorld: true,
  summarize: ({ form }) => summarize(form),
  run: async ({ form, package: pkg }, context) => {
    const evaluation = await evaluateFor(context, form, pkg ?? null);
    const { status, values, condition } = evaluation.report;
    const ended = { type: '', message: `The evaluation ended (${status}) without a value.` };
    return {
      success: status === 'ok',
      text:
        status === 'ok'
          ? replyOf([formattedResult(values[0])], context)
          : toolErrorText(condition ?? ended) + (condition?.phase === 'reader' ? unbalancedSection(form) : ''),
      evaluation: { ...evaluation, code: form },
    };
  },
});

/** The tool `evaluate_lisp`: returns the output, warnings and values of forms, or the condition that ended them (E1–E42). */
export const evaluateLisp = defineTool({
  name: 'evaluate_lisp',
  title: 'Evaluate Lisp',
  level: 'cautious',
  description:
    'Evaluate Common Lisp code in a persistent REPL session. Definitions and variables persist across calls. Answers with output, warnings, and the values of the last form, or the error with its backtrace. Use it to run code and to define things.',
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
    hold: z
      .boolean()
      .optional()
      .describe(
        'An error, or the timeout, stays at its frames, for frame-locals, eval-in-frame and invoke-restart, also while you define or load.',
      ),
    max_bytes: z.int().min(1).max(LARGEST_SIZE).optional().describe('Bytes of the reply; default 8192.'),
    ...TIMEOUT,
  }),
  openWorld: true,
  summarize: ({ code }) => summarize(code),
  run: async ({ code, package: pkg, 'capture-time': captureTime, hold, max_bytes: most }, context) => {
    const connection = connectionOf(context);
    const before = connection.suspended;
    const evaluation = await evaluateFor(context, code, pkg ?? null, hold ? 'hold' : 'report');
    const { report, output } = evaluation;
    const held = hold && connection.suspended !== before ? await heldRecord(context) : null;
    if (held) {
      const gaveUp = before && !before.over ? '\n\nThe previously held error was released.' : '';
      await before?.abandon();
      return {
        success: false,
        text: heldOutcome(held, printedText(output), context).text + HELD_HINT + gaveUp,
        evaluation: { ...evaluation, code },
      };
    }
    const stale = MAY_REDEFINE.test(code) ? await staleUsers(context) : [];
    const warnings = [
      ...report.warnings,
      ...stale.map((message) => ({ type: 'STYLE-WARNING', message, start: null, end: null })),
    ];
    const late = context.session.takeLateOutput(context.connectionId);
    const complete = { ...evaluation, report: { ...report, warnings }, late };
    return {
      success: report.status === 'ok',
      text: replyOf(
        evaluationParts(complete, captureTime ?? false, await hintOf(report.condition, code, context)),
        context,
        wantedSize(most, context.replySize),
      ),
      evaluation: { ...complete, code },
    };
  },
});

/** Matches words which show that code may change a macro, an inline function, a constant or a structure. */
const MAY_REDEFINE = /def|declaim|proclaim|macro|load|require/i;

/** Returns a hint that follows an error message: the position at which the code is unbalanced, or names that were probably meant. */
async function hintOf(condition: ConditionRecord | null, code: string, context: ToolContext): Promise<string> {
  if (condition === null) return '';
  return (condition.phase === 'reader' ? readingFault(code) : null) ?? nearNames(context, condition);
}

const HELD_HINT =
  '\n\nThe error waits for ten minutes after your last use, or two if another client works in the image. Fix the cause and choose a restart with invoke-restart; ABORT ends it. Until then, checkpoints are not possible.';

/**
 * Evaluates code in the caller's context and adds it to the connection's history. With `hold`, the code waits in the debugger after an
 * error.
 */
export async function evaluateFor(
  who: ToolContext,
  code: string,
  pkg: string | null,
  onError: 'report' | 'hold' = 'report',
): Promise<Evaluation> {
  const { session, actor, connectionId, call, signal, shared } = who;
  const connection = connectionOf(who);
  await connection.idleInDebugger(signal);
  const evaluation = await session.evaluate({
    evaluation: call,
    actor,
    context: connectionId,
    code,
    package: pkg,
    interactive: false,
    source: null,
    signal,
    onError,
    keepValues: shared, // the person can inspect the values in the REPL
  });
  connection.remember(code, pkg, evaluation);
  if (evaluation.debugger)
    connection.suspended = new SuspendedEvaluation(session, { evaluation: call, actor, debugger: evaluation.debugger });
  return evaluation;
}
