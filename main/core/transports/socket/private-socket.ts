/**
 * The desktop's private socket. The stdio command connects to it, introduces itself, and then speaks MCP, with one message on each line.
 */
import { UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import { clientProfile } from '#contract/clients/client.ts';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import type { PairingDecision, Pairing } from '#core/clients/pairing.ts';
import type { Actor } from '#contract/image/session.ts';
import type { TransportHost } from '../host.ts';
import { OPENED_AGAIN } from '../mcp/server.ts';
import { serveLines, type LineOptions } from '../mcp/stdio/stdio.ts';
import { processOf } from './peer-process.ts';
import { unpairedHost } from './unpaired-host.ts';

const hello = z.object({
  client: z.string().max(200).nullable(),
  token: z.string().nullable(),
  /** The process id that the connecting process claims. */
  pid: z.int().positive().nullable().default(null),
  /** The id of the run of the workbench to which the client was connected before; null if the client does not reconnect. */
  since: z.string().nullable().default(null),
  /** The tool set that the client's command requests; null if it requests none. */
  tools: clientProfile.nullable().default(null),
});

export type Hello = z.input<typeof hello>;
const refusal = z.enum(['too-many', 'wrong-token', 'wrong-client', 'invalid']);
const welcome = z.discriminatedUnion('welcome', [
  /** `waiting` is true if the person must be asked first. Until the person decides, every tool answers only that the client must wait. */
  z.object({ welcome: z.literal(true), waiting: z.boolean(), run: z.string().default('') }),
  z.object({ welcome: z.literal(false), reason: refusal, message: z.string() }),
]);

/** The reply to an introduction. If the connection was refused, `reason` says why, and the caller starts its own image or gives up. */
export type Welcome = z.infer<typeof welcome>;

/**
 * The maximum number of connections: of one client, of all clients that have introduced themselves, and of all that have not introduced
 * themselves yet.
 */
const LIMITS = { perClient: 64, inAll: 512, silent: 64 };
/**
 * The interval, in milliseconds, at which the socket's file is checked. The check is needed because programs that clean temporary folders
 * also delete this file.
 */
const LOOK_MS = 60_000;
const HELLO_LIMIT = 64 * 1024;
const HELLO_MS = 10_000;

export class PrivateSocket {
  readonly #host: TransportHost;
  readonly #pairing: Pairing;
  readonly #address: string;
  readonly #open = new Map<Socket, string | null>();
  readonly #limits: Readonly<typeof LIMITS>;
  /** The connections whose clients have not introduced themselves, oldest first. */
  readonly #silent = new Set<Socket>();
  readonly #lookMs: number;
  #looking: NodeJS.Timeout | null = null;
  /** The inode of the socket's file, which shows whether another file has replaced it under the same name. */
  #inode: number | null = null;
  #connections = 0;
  #server: Server | null = null;

  /** `lookMs` is the interval at which the socket's file is checked. */
  constructor(
    host: TransportHost,
    pairing: Pairing,
    address: string,
    limits: Partial<typeof LIMITS> = {},
    lookMs = LOOK_MS,
  ) {
    this.#limits = { ...LIMITS, ...limits };
    this.#lookMs = lookMs;
    this.#host = host;
    this.#pairing = pairing;
    this.#address = address;
  }

  /** Starts listening. @throws WorkbenchError `system` if another desktop of this home is already listening. */
  async listen(): Promise<void> {
    checkFolder(this.#address);
    if (await answers(this.#address))
      throw new WorkbenchError('system', 'Another desktop with the same home folder is already running.');
    if (process.platform !== 'win32') rmSync(this.#address, { force: true });
    const server = createServer((socket) => void this.#receive(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new WorkbenchError('system', `The private socket cannot be opened. ${messageForPerson(error)}`)),
      );
      server.listen(this.#address, resolve);
    });
    this.#server = server;
    if (process.platform === 'win32') return;
    chmodSync(this.#address, 0o600);
    this.#inode = lstatSync(this.#address).ino;
    this.#looking ??= setInterval(() => void this.#look(), this.#lookMs).unref();
  }

  /** If the socket's file was deleted, creates the socket again. Open connections continue. */
  async #look(): Promise<void> {
    if (this.#server === null) return;
    if (lstatSync(this.#address, { throwIfNoEntry: false })?.ino === this.#inode) return;
    try {
      mkdirSync(path.dirname(this.#address), { recursive: true, mode: 0o700 });
      if (await answers(this.#address)) return; // another desktop of this home uses the file
      this.#server.close(); // closed first, because a server deletes its file when it closes
      await this.listen();
    } catch (error) {
      process.emitWarning(`The private socket was deleted and cannot be created again: ${messageOf(error)}`);
    }
  }

  /** Ends the connections of a client whose token is no longer valid. */
  endClient(clientId: string): void {
    for (const [socket, id] of this.#open) if (id === clientId) socket.destroy();
  }

  async close(): Promise<void> {
    if (this.#looking) clearInterval(this.#looking);
    // Stops listening before the connections are ended, because a disconnected client looks for another desktop at once.
    const closed = new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    for (const socket of [...this.#open.keys(), ...this.#silent]) socket.destroy();
    await closed;
  }

  async #receive(socket: Socket): Promise<void> {
    socket.on('error', () => {}); // ignored, because `close` reports the end of the socket
    // A real client introduces itself immediately. The connections that have been silent longest are closed, so that they do not block
    // others.
    for (const oldest of [...this.#silent].slice(0, Math.max(0, this.#silent.size + 1 - this.#limits.silent))) {
      this.#silent.delete(oldest);
      oldest.destroy();
    }
    this.#silent.add(socket);
    socket.once('close', () => this.#silent.delete(socket));
    const line = await firstLine(socket).catch(() => null);
    this.#silent.delete(socket);
    if (line === null) return void socket.destroy();
    if (this.#connections >= this.#limits.inAll) {
      greet(socket, refused('too-many', 'Too many clients are connected. Close one of them.').welcome);
      return void socket.end();
    }
    this.#connections += 1;
    socket.once('close', () => (this.#connections -= 1));
    const said = hello.safeParse(parseJson(line));
    if (said.success && !said.data.token) return this.#letWait(socket, said.data);
    const { actor, welcome } = said.success
      ? this.#admit(said.data)
      : refused('invalid', 'The first line must identify the client.');
    greet(socket, welcome);
    if (!actor) return void socket.end();
    await this.#serve(socket, this.#host, actor, actor.id, said.success ? this.#optionsFor(said.data) : {});
  }

  /**
   * Makes an unknown client wait: the workbench does not answer its calls until the person accepts it. If the person refuses, the
   * connection ends.
   */
  async #letWait(socket: Socket, said: z.output<typeof hello>): Promise<void> {
    const { client, pid } = said;
    const label = client?.trim() || 'unnamed client';
    const process = await processOf(pid);
    const knock = socket.destroyed ? null : this.#pairing.request({ label, process });
    if (!knock) {
      greet(socket, refused('too-many', 'Other clients are waiting to be admitted. Decide about them first.').welcome);
      return void socket.end();
    }
    greet(socket, { welcome: true, waiting: true, run: this.#host.run });
    const decided = knock.decided.then((decision: PairingDecision) => {
      if (decision.actor) this.#open.set(socket, decision.actor.id);
      else socket.destroySoon();
      return decision;
    });
    const nobody: Actor = { id: UNKNOWN_CLIENT, kind: 'client', name: label };
    await this.#serve(socket, unpairedHost(this.#host, decided), nobody, null, this.#optionsFor(said));
    knock.leave();
  }

  /**
   * Returns the tool set that a client requests. If the client was connected to an earlier run of the workbench, also returns the notice
   * that its image no longer exists.
   */
  #optionsFor({ since, tools: profile }: z.output<typeof hello>): LineOptions {
    return { profile, imageNotice: since === null || since === this.#host.run ? null : OPENED_AGAIN };
  }

  async #serve(
    socket: Socket,
    host: TransportHost,
    actor: Actor,
    known: string | null,
    options: LineOptions,
  ): Promise<void> {
    this.#open.set(socket, known);
    const { closed } = serveLines(host, actor, socket, socket, 'MCP over stdio', options);
    await closed;
    this.#open.delete(socket);
    socket.destroy();
  }

  #admit({ client, token }: z.output<typeof hello>): { actor: Actor | null; welcome: Welcome } {
    const actor = this.#host.authenticate(token!);
    if (!actor)
      return refused(
        'wrong-token',
        'The desktop does not know this LISP_WORKBENCH_TOKEN; it may have been revoked. Get a new one with "Connect an AI client…".',
      );
    if (client !== null && client.toLowerCase() !== actor.name.toLowerCase())
      return refused('wrong-client', `This token belongs to ${actor.name}, not to ${client}.`);
    const others = [...this.#open.values()].filter((id) => id === actor.id).length;
    if (others >= this.#limits.perClient)
      return refused('too-many', `${actor.name} already has ${others} connections.`);
    return { actor, welcome: { welcome: true, waiting: false, run: this.#host.run } };
  }
}

/**
 * Connects to a desktop's socket and introduces this process. Returns null if no desktop of this home is running.
 * @throws WorkbenchError `refused` if the socket could belong to another user; `invalid` if no desktop answers there.
 */
export async function joinDesktop(address: string, who: Hello): Promise<{ socket: Socket; welcome: Welcome } | null> {
  const socket = await dial(address);
  if (!socket) return null;
  try {
    checkFolder(address); // checked before the token is sent to the socket
    socket.write(`${JSON.stringify(who)}\n`);
    const line = await firstLine(socket);
    // The desktop is closing. It ends the connections whose introduction it has not received yet.
    if (line === null) return null;
    const answer = welcome.safeParse(parseJson(line));
    if (answer.success) return { socket, welcome: answer.data };
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.destroy();
  throw new WorkbenchError('invalid', `The program at ${address} is not a Lisp Workbench desktop of this version.`);
}

/**
 * Refuses a folder that is not ours or that others can access. Another user who can write to it could pretend to be the desktop and receive
 * tokens.
 */
function checkFolder(address: string): void {
  if (process.platform === 'win32') return;
  const folder = path.dirname(address);
  const { uid, mode } = lstatSync(folder);
  if (uid === process.getuid!() && (mode & 0o022) === 0) return;
  throw new WorkbenchError(
    'refused',
    `${folder} is writable by other users, so the private socket in it cannot be trusted. Change its owner to you and its mode to 700, or set XDG_RUNTIME_DIR.`,
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
    socket.on('error', () => resolve(null)); // later errors are followed by a `close` event
  });
}

/**
 * Reads up to the first line feed, and leaves the remaining data in the paused stream. Returns null if the other side ends the stream
 * before the line feed.
 */
function firstLine(socket: Socket): Promise<string | null> {
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
      reject(new WorkbenchError('invalid', 'The other side did not identify itself.'));
    };
    const ended = (): void => {
      finish();
      resolve(null);
    };
    const finish = (): void => {
      clearTimeout(timer);
      socket.off('data', take).off('end', ended).off('close', ended);
    };
    socket.on('data', take).on('end', ended).on('close', ended);
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
