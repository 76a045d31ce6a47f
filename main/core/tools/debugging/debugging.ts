/**
 * Tools for handling an error. A client's failed evaluation is unwound, except if the client requested that its errors be held in the
 * debugger. A held error has restarts, and frames to inspect. An unwound error has only the restart RETRY, which evaluates the code again
 * and holds the new error.
 */
import { z } from 'zod';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { summarize } from '#core/sessions/report.ts';
import { connectionOf, type Connection } from '../connection/connection.ts';
import { evaluateFor } from '../evaluation/evaluate-lisp.ts';
import { toolErrorText, valueParts } from '../replies/format.ts';
import { SuspendedEvaluation, type Ended } from '../connection/suspended-evaluation.ts';
import { frameLine, heldFrame, heldOutcome, heldRecord, NOT_HELD, restartLine, RETRY } from './held-error.ts';
import { listed } from '../lookup/lookup.ts';
import { restartCard, restartState, retryCard } from './restart-card.ts';
import { suggestionText } from '#core/base/suggestions.ts';
import { endPart, printedPart, replyOf } from '../replies/reply-parts.ts';
import { printedText } from '../replies/printed-text.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, NotFound, type ToolContext, type ToolOutcome } from '../tool.ts';

const frameOf = z.int().min(0).describe('Its number in the backtrace of the error.');

export const frameLocals = defineTool({
  name: 'frame_locals',
  title: 'Variables of a frame',
  level: 'safe',
  description:
    'The local variables of a frame of the held error. Use it to see what a function was called with; inspect-object takes the handles.',
  input: z.strictObject({ frame: frameOf }),
  openWorld: false,
  summarize: ({ frame }) => `frame ${frame}`,
  run: async ({ frame: number }, context) => {
    const held = await heldFrame(context, number);
    if (typeof held === 'string') return { success: false, text: held };
    const { record, frame } = held;
    const asked = { debugger: record.id, frame: frame.index };
    const { locals } = await context.session.lookUp('frame-locals', asked);
    connectionOf(context).handles.add(locals.map(({ value }) => value?.handle ?? null));
    const head = frameLine(frame, number, context);
    if (locals.length === 0) return { success: true, text: `${head}\nThe frame has no visible variables.` };
    const lines = locals.map(({ name, value }) =>
      value === null
        ? `${name} has no value here, or its code does not retain it`
        : `${name} = ${value.text}${value.cut > 0 ? ` … ${value.cut} characters not shown` : ''} (${value.type}${value.handle === null ? '' : `, handle ${value.handle}`})`,
    );
    return { success: true, text: `${head}\n${listed(lines, lines.length)}` };
  },
});

export const evalInFrame = defineTool({
  name: 'eval_in_frame',
  title: 'Evaluate in a frame',
  level: 'cautious',
  description:
    'Evaluate a form among the local variables of a frame of the held error. Use it to find the cause, or to set a variable before a restart. The error stays held.',
  input: z.strictObject({ frame: frameOf, code: z.string().min(1).describe('One form.'), ...TIMEOUT }),
  openWorld: true,
  summarize: ({ frame, code }) => `${summarize(code)} in frame ${frame}`,
  run: async ({ frame: number, code }, context) => {
    const held = await heldFrame(context, number);
    if (typeof held === 'string') return { success: false, text: held };
    const { session } = context;
    const asked = { debugger: held.record.id, frame: held.frame.index };
    const suspended = connectionOf(context).suspended!;
    suspended.takeOutput();
    const ran = await suspended.run(session.lookUp('eval-in-frame', { ...asked, code, guard: true }), context);
    if ('ended' in ran) return afterwards(context, suspended, ran.ended);
    const outcome = resultOutcome(ran.result, suspended.takeOutput(), context);
    if (ran.result.condition?.type !== 'UNBOUND-VARIABLE') return outcome;
    const { locals } = await session.lookUp('frame-locals', asked);
    return { ...outcome, text: `${outcome.text}\n${variablesText(locals.map(({ name }) => name))}` };
  },
});

export const invokeRestart = defineTool({
  name: 'invoke_restart',
  title: 'Take a restart',
  level: 'cautious',
  description:
    'Take a restart of the held error; the code continues and the answer is its result. Without a restart it lists them and the frames. Use it after evaluate-lisp with hold. If nothing is held, RETRY evaluates the failed code again and holds its error.',
  input: z.strictObject({
    restart: z
      .union([z.int().min(0), z.string().min(1)], { error: 'must be a number or a name' })
      .optional()
      .describe('Its number or name.'),
    arguments: z.array(z.string()).max(20).optional().describe('Forms for its arguments, such as ["42"].'),
    ...TIMEOUT,
    description: z.string().max(2000).optional().describe('Why, in a sentence.'),
  }),
  openWorld: true,
  summarize: ({ restart, arguments: forms }) => [restart ?? 'what there is', ...(forms ?? [])].join(' '),
  levelOfCall: ({ restart }) => Promise.resolve(restart === undefined ? 'safe' : 'cautious'),
  card: async ({ restart, arguments: forms, description }, context) => {
    const claim = description || null;
    if (restart === undefined) throw new NotFound('Specify which restart to invoke.');
    const record = await heldRecord(context);
    const chosen = record && findRestart(record, restart);
    if (record && chosen) return restartCard(context.session, record, chosen, forms ?? [], claim);
    const failed = isRetry(restart) || (!record && restart === RETRY.index) ? await failedCode(context) : null;
    if (failed !== null) return retryCard(failed.code, claim);
    throw new NotFound(record ? noSuchRestart(record, restart) : NOT_HELD);
  },
  run: async ({ restart, arguments: forms }, context, approved) => {
    const record = await heldRecord(context);
    if (restart === undefined) return record ? heldOutcome(record, '', context) : unwoundOutcome(context);
    const chosen = record && findRestart(record, restart);
    if (record && chosen) {
      if (approved && approved.targetState !== restartState(context.session, record, chosen))
        return { success: false, text: 'The debugger changed during the approval, so nothing was done.' };
      return take(context, record, chosen, forms ?? []);
    }
    if (isRetry(restart) || (!record && restart === RETRY.index)) return retry(context);
    if (!record) return { success: false, text: NOT_HELD };
    return { success: false, text: noSuchRestart(record, restart) };
  },
});

/** Returns the last error, which was unwound, and RETRY, the only restart that remains. */
async function unwoundOutcome(context: ToolContext): Promise<ToolOutcome> {
  const { condition, code } = await context.session.lookUp('last-error', { context: context.connectionId });
  if (!condition) return { success: true, text: 'No error so far in this session.' };
  const { failed } = connectionOf(context);
  const rest =
    failed && code === failed.code
      ? `The error was reported and its stack unwound. One restart is still available:\n${listed([restartLine(RETRY)], 1)}`
      : 'The error was reported and its stack unwound; it cannot be repeated, because it did not come from an evaluation.';
  return { success: true, text: `${condition.type}: ${condition.message}\n${rest}` };
}

function noSuchRestart({ restarts }: DebuggerRecord, wanted: number | string): string {
  const names = [...restarts.map(({ name }) => name ?? ''), RETRY.name];
  const near = typeof wanted === 'string' ? suggestionText(wanted, names) : '';
  return `There is no restart ${wanted}.${near}\n${listed(restarts.map(restartLine), restarts.length)}`;
}

/** Returns the failed evaluation that RETRY repeats; null if the connection's last error did not come from an evaluation. */
async function failedCode(who: ToolContext): Promise<Connection['failed']> {
  const { code: last } = await who.session.lookUp('last-error', { context: who.connectionId });
  const { failed } = connectionOf(who);
  return failed && last === failed.code ? failed : null;
}

async function retry(who: ToolContext): Promise<ToolOutcome> {
  const failed = await failedCode(who);
  if (!failed) return { success: false, text: 'There is no failed evaluation of this connection to try again.' };
  await connectionOf(who).leaveDebugger(who.signal);
  const evaluation = await evaluateFor(who, failed.code, failed.package, 'hold');
  const { report, output } = evaluation;
  const shown = { ...evaluation, code: failed.code };
  const printed = printedText(output);
  const record = await heldRecord(who);
  if (record) return { ...heldOutcome(record, printed, who), evaluation: shown };
  const outcome = resultOutcome(report, printed, who);
  const text = outcome.success ? `It did not fail this time.\n${outcome.text}` : outcome.text;
  return { ...outcome, text, evaluation: shown };
}

async function take(
  who: ToolContext,
  record: DebuggerRecord,
  chosen: DebuggerRecord['restarts'][number],
  forms: readonly string[],
): Promise<ToolOutcome> {
  const suspended = connectionOf(who).suspended!;
  suspended.takeOutput();
  const asked = { debugger: record.id, restart: chosen.index, arguments: [...forms], guard: true };
  const ran = await suspended.run(who.session.lookUp('invoke-restart', asked), who);
  if ('ended' in ran) return afterwards(who, suspended, ran.ended);
  const outcome = resultOutcome(ran.result, suspended.takeOutput(), who);
  if (outcome.success || forms.length > 0 || required(chosen) === 0) return outcome;
  // The restart requested a value, and there was no person to answer.
  return { ...outcome, text: `${outcome.text}\nThis restart takes a value: give a form for it in arguments.` };
}

function variablesText(names: readonly string[]): string {
  return names.length === 0 ? 'The frame has no variables.' : `Variables of the frame: ${names.join(', ')}.`;
}

/** Returns the outcome of an evaluation that has left the debugger. */
function afterwards(who: ToolContext, suspended: SuspendedEvaluation, ended: Ended): ToolOutcome {
  connectionOf(who).suspended = null;
  if (ended.condition?.type === 'ABORT') return { success: true, text: 'The evaluation was aborted.' };
  return resultOutcome(ended, suspended.takeOutput(), who);
}

function findRestart({ restarts }: DebuggerRecord, wanted: number | string) {
  if (typeof wanted === 'number' || /^\d+$/.test(wanted)) return restarts.find(({ index }) => index === Number(wanted));
  const asked = wanted.toUpperCase();
  const whole = restarts.find(({ name }) => name?.toUpperCase() === asked);
  return (
    whole ?? restarts.find(({ name }) => name !== null && withoutPackage(name.toUpperCase()) === withoutPackage(asked))
  );
}

/** Returns how many values a restart requires, according to the lambda list of its function. Restarts of RESTART-CASE accept any number. */
function required({ parameters }: DebuggerRecord['restarts'][number]): number {
  const from = parameters.findIndex((each) => each.startsWith('&'));
  return from < 0 ? parameters.length : from;
}

function withoutPackage(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function isRetry(wanted: number | string): boolean {
  return typeof wanted === 'string' && wanted.toUpperCase() === RETRY.name;
}

function resultOutcome({ status, values, condition }: Ended, printed: string, who: ToolContext): ToolOutcome {
  const output = printed === '' ? [] : [printedPart(`[Output]\n${printed}`)];
  if (status === 'ok')
    return { success: true, text: replyOf([...valueParts({ values: [...values] }), ...output], who) };
  const ended = { type: '', message: `The evaluation ended (${status}) without a value.` };
  return { success: false, text: replyOf([endPart(toolErrorText(condition ?? ended)), ...output], who) };
}
