/**
 * The connection to one agent, using the Agent Client Protocol. It uses the shapes of version 1 for both protocol versions. Only this
 * folder imports code of the official SDK; other folders import only its types.
 */
import {
  type ContentBlock,
  type InitializeResponse,
  type McpServer,
  MessageTooLargeError,
  type ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Reported } from '../standings/modes.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { PageAnswer, PageRequest } from '../login/asked-pages.ts';

/** The workbench's side of the connection: handlers for the agent's updates and requests. */
export interface AgentListener {
  readonly updated: (update: SessionUpdate) => void;
  /** Answers a request for permission. `signal` is aborted when the agent stops waiting for the answer. */
  readonly asked: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  /**
   * Called when the agent starts to work without a prompt, which is only possible in version 2. `over` settles when that work ends, like
   * the promise of a prompt.
   */
  readonly began: (over: Promise<StopReason>) => void;
  /** Asks the person to open a web page. `completed` is called when the page is no longer needed. */
  readonly pages: {
    readonly ask: (request: PageRequest, signal: AbortSignal) => Promise<PageAnswer>;
    readonly completed: (id: string) => void;
  };
  /** Reads and writes files for the agent; null if the agent is not offered file access. Version 2 has no such requests. */
  readonly files: {
    readonly read: (path: string, line: number | null, limit: number | null) => Promise<string>;
    readonly write: (path: string, content: string) => Promise<void>;
  } | null;
}

export interface SessionWish {
  readonly directory: string;
  readonly servers: McpServer[];
  readonly meta: Record<string, unknown> | null;
}

export interface AgentConnection {
  /** Resolves when the connection is closed: with an error if the agent's output was invalid, or with null if the agent closed it. */
  readonly closed: Promise<Error | null>;
  readonly isClosed: boolean;
  /** The id that the agent gave the session; null before there is a session. */
  readonly session: string | null;
  open(wish: SessionWish): Promise<Reported>;
  /** Resumes an earlier session. */
  load(session: string, wish: SessionWish): Promise<Reported>;
  authenticate(method: string): Promise<void>;
  /** Sends a prompt. Resolves when the prompt's turn is over; there is no time limit. */
  prompt(prompt: ContentBlock[]): Promise<StopReason>;
  /** Asks the agent to end its turn. */
  cancel(): Promise<void>;
  setMode(mode: string): Promise<void>;
  /** Sets an option. Resolves with all options after the change. */
  setOption(option: string, value: string | boolean): Promise<SessionConfigOption[]>;
  close(): void;
}

/** Messages with an agent, in both directions. */
export type MessageStream = ReturnType<typeof ndJsonStream>;

/** An agent that has answered `initialize`. */
export interface Introduced {
  readonly connection: AgentConnection;
  readonly agent: InitializeResponse;
}

const NEEDS_LOGIN = -32000;
const CANCELLED = -32800;
/** How long, in milliseconds, an agent may take to answer `initialize`, and to open a session. */
const OPENING_MS = 90_000;

/** Returns true if the error means that the agent requires a login first. */
export function needsLogin(error: unknown): boolean {
  return hasCode(error, NEEDS_LOGIN);
}

/** Returns `cancelled` for the error of a cancelled turn. @throws any other error. */
export function cancelledBy(error: unknown): StopReason {
  if (hasCode(error, CANCELLED)) return 'cancelled';
  throw error;
}

function hasCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Resolves with the agent's answer. @throws WorkbenchError if the agent takes too long; `what` says what the agent did not do. */
export async function inTime<Answer>(answer: Promise<Answer>, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new WorkbenchError('system', `The agent ${what} within ${OPENING_MS / 1000} seconds.`)),
      OPENING_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error in the agent's output that closed the connection; null if the agent closed it. */
export function faultOf({ reason }: AbortSignal): Error | null {
  const why: unknown = reason;
  return why instanceof WorkbenchError || why instanceof MessageTooLargeError ? why : null;
}

const page = z.object({ mode: z.literal('url'), elicitationId: z.string(), url: z.string(), message: z.string() });

const ANSWERS = {
  accept: { action: 'accept' },
  decline: { action: 'decline' },
  cancel: { action: 'cancel' },
} as const satisfies Record<PageAnswer, unknown>;

/** Asks the person to open the page that an agent requests. A request for a form is cancelled, because agents are not offered forms. */
export async function elicit(
  request: unknown,
  { pages }: Pick<AgentListener, 'pages'>,
  signal: AbortSignal,
): Promise<(typeof ANSWERS)[PageAnswer]> {
  const read = page.safeParse(request);
  if (!read.success) return ANSWERS.cancel;
  const { elicitationId: id, url: address, message } = read.data;
  return ANSWERS[await pages.ask({ id, address, message }, signal)];
}

/** Throws an error with a message that the agent can read. */
export function refuse(error: unknown): never {
  throw new RequestError(-32603, error instanceof Error ? error.message : String(error));
}
