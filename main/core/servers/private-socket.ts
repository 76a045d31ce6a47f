/** The desktop's private socket: the stdio command connects here, says who it is, and then speaks MCP, a message a line. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WorkbenchError } from '#core/error.ts';
import type { DoorHost } from './door.ts';
import { serveLines } from './mcp/stdio.ts';

const hello = z.object({ client: z.string().nullable(), token: z.string().nullable() });

export type Hello = z.infer<typeof hello>;
const refusal = z.enum(['no-token', 'wrong-token', 'wrong-client', 'invalid']);
const welcome = z.discriminatedUnion('welcome', [
  z.object({ welcome: z.literal(true) }),
  z.object({ welcome: z.literal(false), reason: refusal, message: z.string() }),
]);

/** `reason` names why not: the caller then runs an image of its own, or gives up. */
export type Welcome = z.infer<typeof welcome>;

const HELLO_LIMIT = 64 * 1024;
const HELLO_MS = 10_000;

export class PrivateSocket {
  readonly #host: DoorHost;
  readonly #address: string;
  readonly #open = new Map<Socket, string>();
  #server: Server | null = null;

  constructor(host: DoorHost, address: string) {
    this.#host = host;
    this.#address = address;
  }

  /** @throws WorkbenchError `system` when another desktop of this home listens already. */
  async listen(): Promise<void> {
    checkFolder(this.#address);
    if (await answers(this.#address))
      throw new WorkbenchError('system', 'Another desktop of the same home is running.');
    if (process.platform !== 'win32') rmSync(this.#address, { force: true });
    const server = createServer((socket) => void this.#receive(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new WorkbenchError('system', `The private socket cannot be opened: ${messageOf(error)}.`)),
      );
      server.listen(this.#address, resolve);
    });
    if (process.platform !== 'win32') chmodSync(this.#address, 0o600);
    this.#server = server;
  }

  /** Ends the connections of a client whose token is void. */
  endClient(clientId: string): void {
    for (const [socket, id] of this.#open) if (id === clientId) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#open.keys()) socket.destroy();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
  }

  async #receive(socket: Socket): Promise<void> {
    socket.on('error', () => {}); // its end is told by close
    const line = await firstLine(socket).catch(() => null);
    if (line === null) return void socket.destroy();
    const { actor, welcome } = this.#admit(line);
    socket.write(`${JSON.stringify(welcome)}\n`);
    if (!actor) return void socket.end();
    this.#open.set(socket, actor.id);
    const { closed } = serveLines(this.#host, actor, socket, socket, 'MCP over stdio');
    await closed;
    this.#open.delete(socket);
    socket.destroy();
  }

  #admit(line: string): { actor: ReturnType<DoorHost['authenticate']>; welcome: Welcome } {
    const parsed = hello.safeParse(parseJson(line));
    if (!parsed.success) return refused('invalid', 'The first line must say who connects.');
    const { client, token } = parsed.data;
    if (!token)
      return refused(
        'no-token',
        'The desktop wants a token: choose "Connect an AI client…" in its window and set LISP_WORKBENCH_TOKEN as it says.',
      );
    const actor = this.#host.authenticate(token);
    if (!actor)
      return refused(
        'wrong-token',
        'The desktop does not know this LISP_WORKBENCH_TOKEN (any more). Get a new one with "Connect an AI client…".',
      );
    if (client !== null && client.toLowerCase() !== actor.name.toLowerCase())
      return refused('wrong-client', `This token belongs to ${actor.name}, not to ${client}.`);
    return { actor, welcome: { welcome: true } };
  }
}

/**
 * Connects to a desktop's socket and says who we are. Null when no desktop of this home runs.
 * @throws WorkbenchError `refused` when the socket could be another user's, `invalid` when no desktop answers there.
 */
export async function joinDesktop(address: string, who: Hello): Promise<{ socket: Socket; welcome: Welcome } | null> {
  const socket = await dial(address);
  if (!socket) return null;
  try {
    checkFolder(address); // before the token is sent
    socket.write(`${JSON.stringify(who)}\n`);
    const answer = welcome.safeParse(parseJson(await firstLine(socket)));
    if (answer.success) return { socket, welcome: answer.data };
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.destroy();
  throw new WorkbenchError('invalid', `What answers at ${address} is no desktop of this version.`);
}

/** The folder must be ours and closed to others: whoever can write there could pose as the desktop and be given tokens. */
function checkFolder(address: string): void {
  if (process.platform === 'win32') return;
  const folder = path.dirname(address);
  const { uid, mode } = lstatSync(folder);
  if (uid === process.getuid!() && (mode & 0o022) === 0) return;
  throw new WorkbenchError(
    'refused',
    `${folder} can be written by others, so the private socket in it cannot be trusted. Make it yours with mode 700, or set XDG_RUNTIME_DIR.`,
  );
}

function refused(reason: z.infer<typeof refusal>, message: string): { actor: null; welcome: Welcome } {
  return { actor: null, welcome: { welcome: false, reason, message } };
}

async function answers(address: string): Promise<boolean> {
  const socket = await dial(address);
  socket?.destroy();
  return socket !== null;
}

function dial(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

/** Reads up to the first line feed and leaves the rest in the stream, paused. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const timer = setTimeout(() => fail(), HELLO_MS);
    const take = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(10);
      if (end < 0 && held.length > HELLO_LIMIT) return fail();
      if (end < 0) return;
      finish();
      socket.pause();
      if (end + 1 < held.length) socket.unshift(held.subarray(end + 1));
      resolve(held.subarray(0, end).toString('utf8'));
    };
    const fail = (): void => {
      finish();
      reject(new WorkbenchError('invalid', 'The other side did not say who it is.'));
    };
    const finish = (): void => {
      clearTimeout(timer);
      socket.off('data', take).off('end', fail).off('close', fail);
    };
    socket.on('data', take).on('end', fail).on('close', fail);
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
