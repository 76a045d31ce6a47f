/**
 * The connection of a line REPL to a workbench: as the person, or as a client. A client's evaluations go through the executor, as on any
 * other transport.
 */
import { randomUUID } from 'node:crypto';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { FrameLocal, RanInDebugger } from '#contract/image/debugger.ts';
import type { Actor } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';
import * as debugging from '#core/sessions/debugging.ts';
import type { Executed } from '#core/tools/executor/caller.ts';
import {
  replEvaluate,
  replEvaluateInFrame,
  replLocals,
  replRestart,
  replRestartFrame,
  replReturnFromFrame,
  replStep,
} from '#core/tools/evaluation/repl-tools.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { ReplConnection } from '#core/transports/repl/repl-connection.ts';
import type { Workbench } from './workbench.ts';

/** The longest time that a timer supports. A call with this limit waits for the person's decision, or until the approval's own deadline. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Returns the REPL of the person, in the image of a workbench without a window. */
export function personRepl(workbench: Workbench): ReplConnection {
  const { session } = workbench;
  return {
    session,
    context: workbench.repls.place(FIRST_REPL).context,
    alone: true,
    replays: true,
    evaluate: (evaluation, code) =>
      workbench.evaluateAsPerson({
        evaluation,
        code,
        package: null,
        origin: 'repl',
        source: null,
        onError: 'debug',
        printsAsSet: true,
      }),
    evaluateInFrame: (asked) => debugging.evaluateInFrame(session, asked),
    returnFromFrame: (asked) => debugging.returnFromFrame(session, asked),
    restartFrame: (asked) => debugging.restartFrame(session, asked),
    invokeRestart: (asked) => debugging.invokeRestart(session, { ...asked, arguments: [] }),
    step: (asked) => debugging.step(session, asked),
    localsOf: async (asked) => (await debugging.localsOf(session, asked)).locals,
    close: () => {},
  };
}

/** Returns the REPL of a client. Each connection has its own context in the client's image. */
export function clientRepl(workbench: Workbench, actor: Actor, how: string, alone: boolean): ReplConnection {
  const { transportHost, agents } = workbench;
  const connectionId = `${actor.id}:${randomUUID()}`;
  const disconnect = transportHost.connect(actor, how);
  const closed = new AbortController();
  const call = (tool: Tool, args: Record<string, unknown>, id: string = randomUUID()): Promise<Executed> =>
    transportHost.call(
      { id, tool, args },
      { actor, connectionId, approvalTimeoutMs: NO_LIMIT_MS, signal: closed.signal, profile: 'all' },
    );
  const ran = async (tool: Tool, args: object): Promise<RanInDebugger> => {
    const { result } = await call(tool, { ...args });
    if (!result.structured) throw new WorkbenchError('refused', result.content);
    return result.structured as unknown as RanInDebugger;
  };
  const { session } = agents.sessionOf(actor);
  return {
    session,
    context: connectionId,
    alone,
    replays: false,
    async evaluate(evaluation, code): Promise<EvaluationReport> {
      if (agents.sessionOf(actor).session !== session)
        throw new WorkbenchError('refused', 'This client now uses another image. Connect again.');
      const { result, evaluation: made } = await call(replEvaluate, { code }, evaluation);
      if (!made) throw new WorkbenchError('refused', result.content);
      return made.report;
    },
    evaluateInFrame: (asked) => ran(replEvaluateInFrame, asked),
    returnFromFrame: (asked) => ran(replReturnFromFrame, asked),
    restartFrame: (asked) => ran(replRestartFrame, asked),
    invokeRestart: (asked) => ran(replRestart, asked),
    step: (asked) => ran(replStep, asked),
    async localsOf(asked): Promise<readonly FrameLocal[]> {
      const { result } = await call(replLocals, { ...asked });
      if (!result.structured) throw new WorkbenchError('refused', result.content);
      return result.structured['locals'] as FrameLocal[];
    },
    close() {
      closed.abort('its connection was closed');
      disconnect();
      transportHost.forget(connectionId);
    },
  };
}
