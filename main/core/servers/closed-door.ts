/** The door as a client sees it while no window is open: MCP answers, and nothing is run, least of all somewhere else. */
import type { ToolResult } from '#contract/tool.ts';
import { WorkbenchError } from '#core/error.ts';
import type { DoorHost } from './door.ts';
import { Holds } from './mcp/holds.ts';

/** How every answer begins. */
export const NO_WINDOW = 'No window of Lisp Workbench is open';

/** `home`: which window is meant, where several may be. */
export function closedText(home: string | null): string {
  const which = home === null ? '' : ` for LISP_WORKBENCH_HOME=${home}`;
  return `${NO_WINDOW}${which}. Nothing was run, and nothing is run elsewhere. Ask the person to open it (npm start); this connection joins it by itself, so send the call again then. An image of your own, which nobody sees, is to be had by adding --headless to the command.`;
}

export function closedDoor(version: string, text: string): DoorHost {
  const refuse = (): never => {
    throw new WorkbenchError('refused', text);
  };
  return {
    version,
    notice: 'No window is open yet: until then every call says so.',
    holds: new Holds(),
    rate: { take: () => null },
    replies: { reply: (said) => said, replyToProgram: (said) => said },
    hasFiles: () => false,
    readResource: refuse,
    call: ({ id }) => Promise.resolve(answer(id, text)),
    evaluate: () => Promise.resolve({ result: answer('', text), evaluation: null }),
    authenticate: () => null,
    asProgram: (actor) => actor,
    profileOf: () => 'standard',
    watch: () => () => {},
    connect: () => () => {},
    speaks: () => {},
    forget: () => {},
  };
}

function answer(id: string, text: string): ToolResult {
  const metadata = { execution_time_ms: 0, safety_level: 'safe', status: 'failed' } as const;
  return { id, success: false, content: text, error: text, metadata };
}
