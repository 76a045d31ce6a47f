/**
 * Working on an error. An evaluation of a client that fails is unwound, so its restarts and frames are gone by the time that
 * the client reads of it. What is left is the restart RETRY, which evaluates the code again and holds it in the debugger;
 * then there are the restarts of the error itself, and frames to look into. That way holding is the client's explicit wish
 * and every tool keeps its level: taking a restart runs code, listing them does not.
 */
import { z } from 'zod';
import { restartRecord, type DebuggerRecord } from '#contract/debugger.ts';
import { summarize } from '#core/sessions/report.ts';
import { connectionOf, type Connection } from './connection.ts';
import { evaluateFor } from './evaluate-lisp.ts';
import { toolErrorText, valuesText } from './format.ts';
import { Held, type Ended } from './held.ts';
import { listed } from './looking-up.ts';
import { nearText } from './near.ts';
import { printedText } from './runs.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

const RETRY = {
  index: 0,
  name: 'RETRY',
  report: 'Evaluate the code again, with all its effects, and wait in the debugger at the error.',
  parameters: [],
};

const NOT_HELD =
  'No error is held in the debugger. Take the restart RETRY with invoke-restart: it evaluates the failed code again and waits at the error.';

const frameOf = z.int().min(0).describe('Number of the frame as list-restarts tells it.');

export const listRestarts = defineTool({
  name: 'list_restarts',
  title: 'List restarts',
  level: 'safe',
  description:
    'The restarts of the last error of this connection. Use it after a failed evaluation. At first the only one is RETRY, which holds the error in the debugger (see invoke-restart); then also the restarts of the error itself and the frames to look into.',
  input: z.strictObject({}),
  output: z.object({
    held: z.boolean(),
    type: z.string().nullable(),
    message: z.string().nullable(),
    restarts: z.array(restartRecord),
    frames: z.array(z.object({ index: z.int(), call: z.string() })),
    more_frames: z.boolean(),
  }),
  openWorld: false,
  summarize: () => '',
  run: async (_args, context) => {
    const record = await heldRecord(context);
    if (record) return heldOutcome(record, '');
    const { condition, code } = await context.session.lookUp('last-error', { context: context.context });
    const { failed } = connectionOf(context);
    const restarts = failed && code === failed.code ? [RETRY] : [];
    const none = { held: false, frames: [], more_frames: false };
    if (!condition)
      return {
        success: true,
        text: 'No error so far in this session.',
        structured: { ...none, type: null, message: null, restarts: [] },
      };
    const { type, message } = condition;
    const rest =
      restarts.length > 0
        ? `It was told and unwound. One restart is left:\n${listed(restarts.map(restartLine), 1)}`
        : 'It was told and unwound; it came of no evaluation that could be tried again.';
    return {
      success: true,
      text: `${type}: ${message}\n${rest}`,
      structured: { ...none, type, message, restarts },
    };
  },
});

export const frameLocals = defineTool({
  name: 'frame_locals',
  title: 'Variables of a frame',
  level: 'safe',
  description:
    'The local variables of a stack frame while an error of yours is held in the debugger. Use it to see what a function was called with. Each value has a handle for inspect-object.',
  input: z.strictObject({ frame: frameOf }),
  openWorld: false,
  summarize: ({ frame }) => `frame ${frame}`,
  run: async ({ frame }, context) => {
    const record = await heldRecord(context);
    const problem = frameProblem(record, frame);
    if (problem !== null) return { success: false, text: problem };
    const { locals } = await context.session.lookUp('frame-locals', { debugger: record!.id, frame });
    connectionOf(context).handles.add(locals.map(({ value }) => value?.handle ?? null));
    const head = `${frame}: ${callOf(record!, frame)}`;
    if (locals.length === 0)
      return { success: true, text: `${head}\nIt has no variables, or keeps none that can be seen.` };
    const lines = locals.map(({ name, value }) =>
      value === null
        ? `${name} has no value here, or its code keeps none`
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
    'Evaluate a form among the local variables of a stack frame while an error of yours is held in the debugger. Use it to find out why, or to set a variable before a restart. An error in it leaves the debugger as it is.',
  input: z.strictObject({ frame: frameOf, code: z.string().min(1).describe('One form.') }),
  openWorld: true,
  summarize: ({ frame, code }) => `${summarize(code)} in frame ${frame}`,
  run: async ({ frame, code }, context) => {
    const record = await heldRecord(context);
    const problem = frameProblem(record, frame);
    if (problem !== null) return { success: false, text: problem };
    const { session, signal } = context;
    const held = connectionOf(context).held!;
    held.takeOutput();
    const asked = session.lookUp('eval-in-frame', { debugger: record!.id, frame, code, guard: true });
    const { left, result } = await held.run(asked, signal);
    if (left || !result) return afterwards(context, held);
    return resultOutcome(result, held.takeOutput());
  },
});

export const invokeRestart = defineTool({
  name: 'invoke_restart',
  title: 'Take a restart',
  level: 'cautious',
  description:
    'Take a restart of the last error. Use it after list-restarts. RETRY evaluates the failed code again and holds the error in the debugger, until you evaluate anything else. A restart of the held error lets the code go on; the answer is what came of it.',
  input: z.strictObject({
    restart: z
      .union([z.int().min(0), z.string().min(1)], { error: 'must be a number or a name' })
      .describe('Number or name of the restart, as list-restarts tells it, for example 0 or "USE-VALUE".'),
    arguments: z
      .array(z.string())
      .max(20)
      .optional()
      .describe('Forms for what the restart takes, each evaluated, for example ["42"].'),
  }),
  openWorld: true,
  summarize: ({ restart, arguments: forms }) => [restart, ...(forms ?? [])].join(' '),
  run: async ({ restart, arguments: forms }, context) => {
    const record = await heldRecord(context);
    const chosen = record && findRestart(record, restart);
    if (record && chosen) return take(context, record, chosen, forms ?? []);
    if (isRetry(restart) || (!record && restart === RETRY.index)) return retry(context);
    if (!record) return { success: false, text: NOT_HELD };
    const names = [...record.restarts.map(({ name }) => name ?? ''), RETRY.name];
    const near = typeof restart === 'string' ? nearText(restart, names) : '';
    const lines = listed(record.restarts.map(restartLine), record.restarts.length);
    return { success: false, text: `There is no restart ${restart}.${near}\n${lines}` };
  },
});

async function retry(who: ToolContext): Promise<ToolOutcome> {
  const connection = connectionOf(who);
  const { code: last } = await who.session.lookUp('last-error', { context: who.context });
  const { failed } = connection;
  if (!failed || last !== failed.code)
    return { success: false, text: 'There is no failed evaluation of this connection to try again.' };
  const evaluation = await evaluateFor(who, failed.code, failed.package, 'hold');
  const { report, output } = evaluation;
  const shown = { ...evaluation, code: failed.code };
  const printed = printedText(output);
  const record = await heldRecord(who);
  if (record) return { ...heldOutcome(record, printed), evaluation: shown };
  const outcome = resultOutcome(report, printed);
  const text = outcome.success ? `It did not fail this time.\n${outcome.text}` : outcome.text;
  return { ...outcome, text, evaluation: shown };
}

async function take(
  who: ToolContext,
  record: DebuggerRecord,
  chosen: DebuggerRecord['restarts'][number],
  forms: readonly string[],
): Promise<ToolOutcome> {
  const held = connectionOf(who).held!;
  held.takeOutput();
  const asked = { debugger: record.id, restart: chosen.index, arguments: [...forms], guard: true };
  const { left, result } = await held.run(who.session.lookUp('invoke-restart', asked), who.signal);
  if (left || !result) return afterwards(who, held);
  const outcome = resultOutcome(result, held.takeOutput());
  if (outcome.success || forms.length > 0 || required(chosen) === 0) return outcome;
  // It asked for what it takes, and there was nobody to ask.
  return { ...outcome, text: `${outcome.text}\nThis restart takes a value: give a form for it in arguments.` };
}

/** The debugger was left: what came of the evaluation. */
async function afterwards(who: ToolContext, held: Held): Promise<ToolOutcome> {
  const ended = await held.run(held.ended, who.signal);
  connectionOf(who).held = null;
  if (ended.condition?.type === 'ABORT') return { success: true, text: 'The evaluation was given up.' };
  return resultOutcome(ended, held.takeOutput());
}

/** Where the connection's error is held; null when none is. */
async function heldRecord(who: ToolContext): Promise<DebuggerRecord | null> {
  const connection: Connection = connectionOf(who);
  const record = (await connection.held?.record()) ?? null;
  if (!record) connection.held = null;
  return record;
}

function findRestart({ restarts }: DebuggerRecord, wanted: number | string) {
  if (typeof wanted === 'number' || /^\d+$/.test(wanted)) return restarts[Number(wanted)];
  const asked = wanted.toUpperCase();
  const whole = restarts.find(({ name }) => name?.toUpperCase() === asked);
  return (
    whole ?? restarts.find(({ name }) => name !== null && withoutPackage(name.toUpperCase()) === withoutPackage(asked))
  );
}

/** How many values it needs, as far as its function says; what RESTART-CASE makes takes any number. */
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

function frameProblem(record: DebuggerRecord | null, frame: number): string | null {
  if (!record) return NOT_HELD;
  if (record.frames.some(({ index }) => index === frame)) return null;
  return `There is no frame ${frame}. Frames:\n${framesText(record)}`;
}

function callOf({ frames }: DebuggerRecord, frame: number): string {
  return frames.find(({ index }) => index === frame)?.call ?? '';
}

function heldOutcome(record: DebuggerRecord, printed: string): ToolOutcome {
  const { type, message, restarts, frames, moreFrames } = record;
  const sections = [
    `Held in the debugger: ${type}: ${message}`,
    `[Restarts]\n${listed(restarts.map(restartLine), restarts.length)}`,
    `[Frames]\n${framesText(record)}`,
    ...(printed === '' ? [] : [`[Output]\n${printed}`]),
  ];
  const own = frames.filter(({ internal }) => !internal).map(({ index, call }) => ({ index, call }));
  return {
    success: true,
    text: sections.join('\n\n'),
    structured: { held: true, type, message, restarts, frames: own, more_frames: moreFrames },
  };
}

function framesText({ frames, moreFrames }: DebuggerRecord): string {
  const lines = frames.filter(({ internal }) => !internal).map(({ index, call }) => `${index}: ${call}`);
  return [...lines, ...(moreFrames ? ['… and more, further out'] : [])].join('\n');
}

function restartLine({ index, name, report, parameters }: DebuggerRecord['restarts'][number]): string {
  // SBCL names some of them itself.
  const named = parameters.map((each) => (each.includes('::') ? 'value' : each));
  const takes = named[0] === '&REST' ? ' (may take values)' : named.length > 0 ? ` (takes ${named.join(' ')})` : '';
  return `${index}: [${name ?? 'unnamed'}] ${report}${takes}`;
}

function resultOutcome({ status, values, condition }: Ended, printed: string): ToolOutcome {
  const output = printed === '' ? '' : `\n\n[Output]\n${printed}`;
  if (status === 'ok') return { success: true, text: valuesText({ values: [...values] }) + output };
  const ended = { type: '', message: `It ended (${status}) without a value.` };
  return { success: false, text: toolErrorText(condition ?? ended) + output };
}
