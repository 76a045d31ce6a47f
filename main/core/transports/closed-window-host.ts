/** The workbench for clients while no window is open. MCP answers, but no code is run anywhere. */
import { NO_WINDOW } from '#contract/clients/connection.ts';
import type { ToolResult } from '#contract/clients/tool.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { profileFor } from '#core/tools/tool-sets/tool-sets.ts';
import type { TransportHost } from './host.ts';
import { ResponseTimeouts } from './mcp/response-timeout.ts';

/** Returns the answer to calls while no window is open. `home` identifies the window, if there may be several. */
export function closedText(home: string | null): string {
  return `${noWindow(home)} Nothing was run, here or elsewhere. ${OPEN_IT}`;
}

/**
 * Returns the answer to calls that were running when the window closed. Unlike `closedText`, it does not say that nothing was run, because
 * the calls may have run.
 */
export function closedUnderWay(home: string | null): string {
  return `${noWindow(home)} Nothing runs elsewhere. ${OPEN_IT}`;
}

const OPEN_IT =
  'Ask the person to open it, then send the call again: this connection joins it automatically. For your own image without a window, add --headless to the command.';

function noWindow(home: string | null): string {
  const which = home === null ? '' : ` for LISP_WORKBENCH_HOME=${home}`;
  return `${NO_WINDOW}${which}.`;
}

/**
 * Returns the message to a client that the window does not accept. `why` is the reason, which depends on settings that are read when the
 * command starts.
 */
export function refusedText(why: string): string {
  return `${why} Nothing was run, here or elsewhere. ${TELL}`;
}

/**
 * Returns the message to a refused client whose calls were running. Unlike `refusedText`, it does not say that nothing was run, because the
 * calls may have run.
 */
export function refusedUnderWay(why: string): string {
  return `${why} Nothing runs elsewhere. ${TELL}`;
}

const TELL = 'Report this to the person. After the cause is fixed, restart this MCP server.';

/** `text` returns the current answer to every call. */
export function closedWindowHost(version: string, text: () => string): TransportHost {
  const refuse = (): never => {
    throw new WorkbenchError('refused', text());
  };
  return {
    version,
    run: '',
    notice: 'This server is not connected to a window yet. Until it is, every call is answered with the reason.',
    place: null,
    responseTimeouts: new ResponseTimeouts(),
    openRequests: { admit: () => () => {} },
    replies: { reply: (said) => said, replyToProgram: (said) => said },
    clientApproval: null,
    hasFiles: () => false,
    readResource: refuse,
    call: ({ id }) => Promise.resolve({ result: answer(id, text()), evaluation: null }),
    authenticate: () => null,
    asProgram: (actor) => actor,
    profileOf: (_actor, says) => profileFor('standard', says),
    listed: () => {},
    watch: () => () => {},
    connect: () => () => {},
    runsFor: () => false,
    forget: () => {},
  };
}

function answer(id: string, text: string): ToolResult {
  const metadata = { execution_time_ms: 0, safety_level: 'safe', status: 'failed' } as const;
  return { id, success: false, content: text, error: text, metadata };
}
