/**
 * The connection with one agent by the Agent Client Protocol, in the shapes of version 1 whichever version is spoken. The official SDK is imported in this folder
 * and for its types alone outside of it.
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

/** The side of the workbench: what an agent tells, and what it asks. */
export interface AgentListener {
  readonly updated: (update: SessionUpdate) => void;
  /** Answers a request for permission. `signal`: the agent does not wait for the answer any more. */
  readonly asked: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  /** The agent has begun to work without a prompt, which only version 2 has. `over` is settled when that ends, as the promise of a prompt is. */
  readonly began: (over: Promise<StopReason>) => void;
  /** Asks the person to open a page of the web; `completed` when it is not needed any more. */
  readonly pages: {
    readonly ask: (request: PageRequest, signal: AbortSignal) => Promise<PageAnswer>;
    readonly completed: (id: string) => void;
  };
  /** Reads and writes files for the agent; null for one that is not offered it. Version 2 has none of it. */
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
  /** Resolves when the connection is gone: with the fault of what the agent wrote, or null where the agent closed it. */
  readonly closed: Promise<Error | null>;
  readonly isClosed: boolean;
  /** The id that the agent has given the session; null before there is one. */
  readonly session: string | null;
  open(wish: SessionWish): Promise<Reported>;
  /** Goes on with a session of before. */
  load(session: string, wish: SessionWish): Promise<Reported>;
  authenticate(method: string): Promise<void>;
  /** Sends a prompt. Resolves when its turn is over, however long that takes. */
  prompt(prompt: ContentBlock[]): Promise<StopReason>;
  /** Asks the agent to end its turn. */
  cancel(): Promise<void>;
  setMode(mode: string): Promise<void>;
  /** Resolves with all options as they are then. */
  setOption(option: string, value: string | boolean): Promise<SessionConfigOption[]>;
  close(): void;
}

/** Messages with an agent, in both directions. */
export type MessageStream = ReturnType<typeof ndJsonStream>;

/** An agent that has said who it is. */
export interface Introduced {
  readonly connection: AgentConnection;
  readonly agent: InitializeResponse;
}

const NEEDS_LOGIN = -32000;
const CANCELLED = -32800;
/** Milliseconds that an agent may take to say who it is, and to open a session. */
const OPENING_MS = 90_000;

/** True for the answer of an agent that wants its person to log in first. */
export function needsLogin(error: unknown): boolean {
  return hasCode(error, NEEDS_LOGIN);
}

/** Returns `cancelled` for the error of a turn that was cancelled. @throws any other error. */
export function cancelledBy(error: unknown): StopReason {
  if (hasCode(error, CANCELLED)) return 'cancelled';
  throw error;
}

function hasCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** @throws WorkbenchError where the agent takes too long; `what` it did not do. */
export async function inTime<Answer>(answer: Promise<Answer>, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new WorkbenchError('system', `It ${what} within ${OPENING_MS / 1000} seconds.`)),
      OPENING_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the fault of what an agent wrote, by which its connection was closed; null where the agent closed it. */
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

/** Asks the person for what an agent elicits: a page that is to be opened. Forms are not offered to agents, so they are cancelled. */
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

/** An error in words that the agent can read. */
export function refuse(error: unknown): never {
  throw new RequestError(-32603, error instanceof Error ? error.message : String(error));
}
