/**
 * The actions of a client at a line REPL, as tools. They have the names and levels of the tools that MCP offers, so that policy, rules,
 * activity and audit apply to them. No client's tool list includes them, because code at a REPL reads the next typed input and waits in the
 * debugger, and both need the REPL's own connection.
 */
import { z } from 'zod';
import * as debugging from '#core/sessions/debugging.ts';
import { summarize } from '#core/sessions/report.ts';
import { conditionText, valuesText } from '../replies/format.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from '../tool.ts';
import { connectionOf } from '../connection/connection.ts';

const MOST_OUTPUT = 10_000_000;

const ofDebugger = z.strictObject({ debugger: z.string().describe('The debugger.') });
const ofFrame = ofDebugger.extend({ frame: z.int().min(0).describe('The number of the frame.') });
const inFrame = ofFrame.extend({
  code: z.string().describe('The form.'),
  package: z.string().describe('The package in which it is read.'),
});

export const replEvaluate = defineTool({
  name: 'evaluate_lisp',
  title: 'Evaluate at the REPL',
  level: 'cautious',
  description: 'Evaluate a form that was typed at a REPL.',
  input: z.strictObject({ code: z.string().describe('The form.') }),
  openWorld: true,
  summarize: ({ code }) => summarize(code),
  run: async ({ code }, context) => {
    const { session, actor, connectionId, call, signal, shared } = context;
    const connection = connectionOf(context); // Taken before the call, because the connection may be closed afterwards, and looking it up would create it again.
    const evaluation = await session.evaluate({
      evaluation: call,
      actor,
      context: connectionId,
      code,
      package: null,
      interactive: true,
      printsAsSet: true,
      source: null,
      signal,
      onError: 'debug',
      keepValues: shared,
      // If a person can watch, the output is collected for them, as for other clients.
      ...(shared ? {} : { streamedOutput: MOST_OUTPUT }),
    });
    connection.remember(code, null, evaluation);
    const { status, condition, values } = evaluation.report;
    const text = status === 'ok' ? valuesText({ values }) : condition ? conditionText(condition) : status;
    return { success: status === 'ok', text, evaluation: { ...evaluation, code } };
  },
});

export const replEvaluateInFrame = inDebugger(
  'eval_in_frame',
  inFrame,
  ({ code }) => code,
  ({ session }, asked) => debugging.evaluateInFrame(session, { ...asked, guard: true }),
);

export const replReturnFromFrame = inDebugger(
  'eval_in_frame',
  inFrame,
  ({ code }) => `return ${code}`,
  ({ session }, asked) => debugging.returnFromFrame(session, { ...asked, guard: true }),
);

export const replRestartFrame = inDebugger(
  'invoke_restart',
  ofFrame,
  ({ frame }) => `restart frame ${frame}`,
  ({ session }, asked) => debugging.restartFrame(session, { ...asked, guard: true }),
);

export const replRestart = inDebugger(
  'invoke_restart',
  ofDebugger.extend({ restart: z.int().min(0).describe('The number of the restart.') }),
  ({ restart }) => `restart ${restart}`,
  ({ session }, asked) => debugging.invokeRestart(session, { ...asked, arguments: [], guard: true }),
);

export const replStep = inDebugger(
  'invoke_restart',
  ofDebugger.extend({ kind: z.enum(['into', 'over', 'out']).describe('The kind of step.') }),
  ({ kind }) => `step ${kind}`,
  ({ session }, asked) => debugging.step(session, { ...asked, guard: true }),
);

export const replLocals = defineTool({
  name: 'frame_locals',
  title: 'Variables of a frame',
  level: 'safe',
  description: 'The variables of a frame in the debugger of a REPL.',
  input: ofFrame,
  openWorld: false,
  summarize: ({ frame }) => `frame ${frame}`,
  run: async (asked, { session }) => {
    const { locals } = await debugging.localsOf(session, asked);
    return { success: true, text: locals.map(({ name }) => name).join(' '), structured: { locals } };
  },
});

/** Returns a tool that runs code in a debugger of the REPL. */
function inDebugger<Input extends z.ZodObject>(
  name: string,
  input: Input,
  summary: (args: z.output<Input>) => string,
  run: (context: ToolContext, args: z.output<Input>) => ReturnType<typeof debugging.evaluateInFrame>,
): Tool {
  return defineTool({
    name,
    title: 'Run code in the debugger',
    level: 'cautious',
    description: 'Run code in the debugger of a REPL.',
    input,
    openWorld: true,
    summarize: (args) => summarize(summary(args)),
    run: async (args, context): Promise<ToolOutcome> => {
      const ran = await run(context, args);
      const { left, result } = ran;
      const text =
        left || !result ? 'The debugger was closed.' : result.status === 'ok' ? valuesText(result) : result.status;
      return { success: left || result?.status === 'ok', text, structured: { ...ran } };
    },
  });
}
