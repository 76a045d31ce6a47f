/**
 * Checks which tools a program offers its model if the program may act only through the workbench. The program starts as usual, in the
 * sandbox and with an empty home. A loopback model reads the program's first request but does not answer it. The program gets none of the
 * person's keys.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WorkbenchError } from '#core/base/error.ts';
import { needsLogin, type SessionWish } from '../acp/connection.ts';
import { introduce } from '../acp/introduction.ts';
import { AgentProcess, type ProcessLaunch } from '../process/agent-process.ts';
import { lastWords } from '../process/last-words.ts';
import { LOOPBACK_MODEL } from '../recipes/recipe.ts';
import { offeredTools } from './offered-tools.ts';

export interface ToolCheck {
  readonly title: string;
  /** Resolves with the command that starts the program with the model at this address. */
  readonly launch: (model: string) => Promise<ProcessLaunch>;
  readonly wish: (directory: string) => SessionWish;
  /** The method for logging in to the loopback model; omitted if no login is needed. */
  readonly login: string | null;
  /** The version of the workbench. */
  readonly version: string;
  /** The protocol version to use; if omitted, the newest one. */
  readonly protocol?: 1 | 2 | undefined;
  /** Returns true for the name of a workbench tool. */
  readonly isOurs: (name: string) => boolean;
}

/** How long, in milliseconds, a program may take to send its first request with our tools. */
const CHECK_MS = 90_000;
/**
 * The maximum number of prompts that are sent until a program has found our tools. The next constant is the time between two prompts, in
 * milliseconds.
 */
const MOST_PROMPTS = 10;
const BETWEEN_MS = 2_000;

/**
 * Resolves with the names of all tools in the first request that contains ours. @throws WorkbenchError that says why there was no such
 * request.
 */
export async function checkTools(check: ToolCheck, signal: AbortSignal): Promise<string[]> {
  throwIfCancelled(signal);
  const seen = Promise.withResolvers<string[]>();
  const model = await startModel((names) => {
    if (names.some(check.isOurs)) seen.resolve(names);
  });
  try {
    const launch = await check.launch(model.url);
    throwIfCancelled(signal);
    const process = await AgentProcess.start(launch);
    try {
      throwIfCancelled(signal);
      return await firstTools(check, process, launch.directory, seen.promise, signal);
    } finally {
      await process.end();
    }
  } finally {
    await model.close();
  }
}

/** Resolves with the tools that `seen` resolves with. @throws WorkbenchError that says why there was no request with tools. */
async function firstTools(
  check: ToolCheck,
  process: AgentProcess,
  directory: string,
  seen: Promise<string[]>,
  signal: AbortSignal,
): Promise<string[]> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // the race below reports the error
  const fail = (why: string): void =>
    failed.reject(
      new WorkbenchError('system', `The tools of ${check.title} could not be checked: ${why}${lastWords(process.log)}`),
    );
  const timer = setTimeout(
    () => fail(`it did not send a request to its model within ${CHECK_MS / 1000} seconds.`),
    CHECK_MS,
  );
  const cancelled = (): void => failed.reject(cancellation());
  signal.addEventListener('abort', cancelled, { once: true });
  void process.ended.then((end) => fail(`it ended with ${end}.`));
  void ask(check, process, directory, seen).catch((error: Error) => fail(error.message));
  try {
    return await Promise.race([seen, failed.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancelled);
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw cancellation();
}

function cancellation(): WorkbenchError {
  return new WorkbenchError('cancelled', 'The check was cancelled.');
}

/** Sends prompts until the program's request has been seen. Some programs look for a server's tools only after their session is open. */
async function ask(
  { wish, login, version, protocol }: ToolCheck,
  process: AgentProcess,
  directory: string,
  seen: Promise<unknown>,
): Promise<void> {
  const listener = {
    updated: () => {},
    began: () => {},
    asked: () => Promise.resolve({ outcome: { outcome: 'cancelled' as const } }),
    pages: { ask: () => Promise.resolve('cancel' as const), completed: () => {} },
    files: null,
  };
  const { connection } = await introduce(process, listener, version, protocol);
  try {
    await connection.open(wish(directory));
  } catch (error) {
    if (!needsLogin(error) || login === null) throw error;
    await connection.authenticate(login);
    await connection.open(wish(directory));
  }
  for (let count = 0; count < MOST_PROMPTS; count += 1) {
    // The prompt is expected to end with an error of the model.
    await connection.prompt([{ type: 'text', text: 'Say a word.' }]).catch(() => {});
    const isSeen = await Promise.race([
      seen.then(() => true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), BETWEEN_MS)),
    ]);
    if (isSeen) return;
  }
}

/** Starts the loopback model. */
async function startModel(offered: (names: string[]) => void): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    serve(request, response, offered).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the tools of a request, and answers it with an error after which programs do not try again. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  offered: (names: string[]) => void,
): Promise<void> {
  if (request.method === 'GET' && /\/models\b/.test(request.url!)) {
    const model = { id: LOOPBACK_MODEL, object: 'model', created: 1, owned_by: 'nobody', type: 'model' };
    return sendJson(response, 200, { object: 'list', data: [model], models: [], has_more: false });
  }
  const names = offeredTools(await text(request));
  if (names) offered(names);
  const error = {
    type: 'invalid_request_error',
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'No answer is available here.',
  };
  sendJson(response, 400, { type: 'error', error });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
