import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connections } from './connection-limits.ts';

let server: Server;
let connections: Connections;
/** Unfinished responses, by the requested path. */
let held: Map<string, ServerResponse>;
let sockets: Socket[];

beforeEach(async () => {
  held = new Map();
  sockets = [];
  server = createServer((request, response) => {
    const url = request.url!;
    if (url.startsWith('/claim/') && !connections.claim(request.socket, url.slice('/claim/'.length)))
      response.statusCode = 403;
    if (url.startsWith('/busy')) held.set(url, response);
    else response.end();
  });
  connections = new Connections(3, 2);
  connections.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

interface Peer {
  readonly closed: () => boolean;
  ask(path: string): Promise<string>;
  begin(path: string): void;
}

async function peer(): Promise<Peer> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let closed = false;
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.on('error', () => {});
  socket.on('close', () => (closed = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  const begin = (path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return {
    closed: () => closed,
    begin,
    ask: async (path) => {
      heard = '';
      begin(path);
      await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 \d+/);
      return heard.slice(9, 12);
    },
  };
}

describe('connection limits', () => {
  it('A connection beyond the bound ends the one that was idle longest [K1]', async () => {
    const [first, second, third] = [await peer(), await peer(), await peer()];
    const fourth = await peer();
    expect(await fourth.ask('/')).toBe('200');
    await expect.poll(first.closed).toBe(true);
    expect([second.closed(), third.closed()]).toEqual([false, false]);
  });

  it('Connections that work stay, and a new one is turned away when all work [K1]', async () => {
    const working = [await peer(), await peer()];
    for (const [index, each] of working.entries()) each.begin(`/busy/${index}`);
    await expect.poll(() => held.size).toBe(2);
    const idle = await peer();
    const third = await peer();
    third.begin('/busy/2');
    await expect.poll(idle.closed).toBe(true);
    await expect.poll(() => held.size).toBe(3);
    const late = await peer();
    await expect.poll(late.closed).toBe(true);
    expect([...working, third].map((each) => each.closed())).toEqual([false, false, false]);
  });

  it('Connections of one client are bounded by themselves: an idle one of its own goes [K1]', async () => {
    const [first, second] = [await peer(), await peer()];
    expect([await first.ask('/claim/a'), await second.ask('/claim/a')]).toEqual(['200', '200']);
    const third = await peer();
    expect(await third.ask('/claim/a')).toBe('200');
    await expect.poll(first.closed).toBe(true);
    expect(second.closed()).toBe(false);
  });

  it('A connection of one client is refused when all of its others work [K1]', async () => {
    const [first, second] = [await peer(), await peer()];
    for (const [index, each] of [first, second].entries()) {
      await each.ask('/claim/a');
      each.begin(`/busy/${index}`);
    }
    await expect.poll(() => held.size).toBe(2);
    const third = await peer();
    expect(await third.ask('/claim/a')).toBe('403');
    expect(await third.ask('/claim/b')).toBe('200');
  });

  it('Connections end with their client, working ones too [K1]', async () => {
    const [mine, other] = [await peer(), await peer()];
    await mine.ask('/claim/a');
    await other.ask('/claim/b');
    mine.begin('/busy');
    await expect.poll(() => held.size).toBe(1);
    connections.endClient('a');
    await expect.poll(mine.closed).toBe(true);
    expect(other.closed()).toBe(false);
  });
});
