/** The desktop's private socket: the stdio command connects here, says who it is, and then speaks MCP, a message a line. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WorkbenchError } from '#core/error.ts';
import type { AdmissionDecision, Admissions } from '#core/clients/admissions.ts';
import type { Actor } from '#contract/session.ts';
import type { DoorHost } from './door.ts';
import { serveLines } from './mcp/stdio.ts';
import { processOf } from './peer.ts';
import { waitingDoor } from './waiting-door.ts';

const hello = z.object({
  client: z.string().max(200).nullable(),
  token: z.string().nullable(),
  /** The process that connects, as it says. */
  pid: z.int().positive().nullable().default(null),
});

export type Hello = z.input<typeof hello>;
const refusal = z.enum(['too-many', 'wrong-token', 'wrong-client', 'invalid']);
const welcome = z.discriminatedUnion('welcome', [
  /** `waiting`: the person is asked first; until then tools answer that. */
  z.object({ welcome: z.literal(true), waiting: z.boolean() }),
  z.object({ welcome: z.literal(false), reason: refusal, message: z.string() }),
]);

/** `reason` names why not: the caller then runs an image of its own, or gives up. */
export type Welcome = z.infer<typeof welcome>;

/** Connections of one client, and of all. */
const LIMITS = { perClient: 64, inAll: 512 };
const HELLO_LIMIT = 64 * 1024;
const HELLO_MS = 10_000;

export class PrivateSocket {
  readonly #host: DoorHost;
  readonly #admissions: Admissions;
  readonly #address: string;
  readonly #open = new Map<Socket, string | null>();
  readonly #limits: typeof LIMITS;
  #connections = 0;
  #server: Server | null = null;

  constructor(host: DoorHost, admissions: Admissions, address: string, limits = LIMITS) {
    this.#limits = limits;
    this.#host = host;
    this.#admissions = admissions;
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
    if (this.#connections >= this.#limits.inAll) return void socket.destroy();
    this.#connections += 1;
    socket.once('close', () => (this.#connections -= 1));
    const line = await firstLine(socket).catch(() => null);
    if (line === null) return void socket.destroy();
    const said = hello.safeParse(parseJson(line));
    if (said.success && !said.data.token) return this.#letWait(socket, said.data);
    const { actor, welcome } = said.success
      ? this.#admit(said.data)
      : refused('invalid', 'The first line must say who connects.');
    greet(socket, welcome);
    if (!actor) return void socket.end();
    await this.#serve(socket, this.#host, actor, actor.id);
  }

  /** Nothing of the workbench answers until the person lets it in; when they do not, the connection ends. */
  async #letWait(socket: Socket, { client, pid }: z.output<typeof hello>): Promise<void> {
    const label = client?.trim() || 'unnamed client';
    const process = await processOf(pid);
    const knock = socket.destroyed ? null : this.#admissions.knock({ label, process });
    if (!knock) {
      greet(socket, refused('too-many', 'Other clients wait to be let in already. Decide about them first.').welcome);
      return void socket.end();
    }
    greet(socket, { welcome: true, waiting: true });
    const decided = knock.decided.then((decision: AdmissionDecision) => {
      if (decision.actor) this.#open.set(socket, decision.actor.id);
      else socket.destroySoon();
      return decision;
    });
    const nobody: Actor = { id: 'client:unknown', kind: 'client', name: label };
    await this.#serve(socket, waitingDoor(this.#host, decided), nobody, null);
    knock.leave();
  }

  async #serve(socket: Socket, host: DoorHost, actor: Actor, known: string | null): Promise<void> {
    this.#open.set(socket, known);
    const { closed } = serveLines(host, actor, socket, socket, 'MCP over stdio');
    await closed;
    this.#open.delete(socket);
    socket.destroy();
  }

  #admit({ client, token }: z.output<typeof hello>): { actor: Actor | null; welcome: Welcome } {
    const actor = this.#host.authenticate(token!);
    if (!actor)
      return refused(
        'wrong-token',
        'The desktop does not know this LISP_WORKBENCH_TOKEN (any more). Get a new one with "Connect an AI client…".',
      );
    if (client !== null && client.toLowerCase() !== actor.name.toLowerCase())
      return refused('wrong-client', `This token belongs to ${actor.name}, not to ${client}.`);
    const others = [...this.#open.values()].filter((id) => id === actor.id).length;
    if (others >= this.#limits.perClient)
      return refused('too-many', `${actor.name} has ${others} connections already.`);
    return { actor, welcome: { welcome: true, waiting: false } };
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

function greet(socket: Socket, welcome: Welcome): void {
  socket.write(`${JSON.stringify(welcome)}\n`);
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
