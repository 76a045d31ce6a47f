import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Admissions } from '#core/clients/admissions.ts';
import { Clients } from '#core/clients/clients.ts';
import type { DoorHost } from './door.ts';
import { joinDesktop, PrivateSocket } from './private-socket.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'socket-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Somebody who answers each connection with this; what it was told is kept. */
async function impostor(answer: string): Promise<{ address: string; heard: () => string; close: () => void }> {
  const address = path.join(folder, 's.sock');
  let heard = '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('error', () => {});
    socket.write(answer);
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { address, heard: () => heard, close };
}

describe.skipIf(process.platform === 'win32')('K1 case 8 the private socket', () => {
  it('is not given a token where others could have put it', async () => {
    const { address, heard, close } = await impostor('{"welcome":true}\n');
    chmodSync(folder, 0o777);
    await expect(joinDesktop(address, { client: null, token: 'lwb_secret' })).rejects.toThrow(/cannot be trusted/);
    expect(heard()).toBe('');
    close();
  });

  it.each(['hello\n', '{"welcome":"yes"}\n', 'null\n'])('is no desktop when it answers %j', async (answer) => {
    const { address, close } = await impostor(answer);
    await expect(joinDesktop(address, { client: null, token: null })).rejects.toThrow(/is no desktop/);
    close();
  });

  it('is absent when nobody listens', async () => {
    expect(await joinDesktop(path.join(folder, 'none.sock'), { client: null, token: null })).toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('K1 case 7 case 8 another user of the machine', () => {
  it('can neither reach the socket nor put one in its place', async () => {
    const clients = new Clients(null);
    const address = path.join(folder, 'own.sock');
    const door = { authenticate: () => null, connect: () => () => {} } as unknown as DoorHost; // nobody joins
    const listening = new PrivateSocket(door, new Admissions(clients, () => 5), address);
    await listening.listen();
    expect([statSync(folder).mode & 0o777, statSync(address).mode & 0o777]).toEqual([0o700, 0o600]);
    await listening.close();
    chmodSync(folder, 0o777);
    await expect(new PrivateSocket(door, new Admissions(clients, () => 5), address).listen()).rejects.toThrow(
      /can be written by others/,
    );
  });
});

describe.skipIf(process.platform === 'win32')('K1 connections to the private socket', () => {
  it('are bounded for each client and in all', async () => {
    const clients = new Clients(null);
    const { token } = await clients.mint('busy');
    const other = (await clients.mint('other')).token;
    const door = {
      authenticate: (given: string) => clients.authenticate(given),
      connect: () => () => {},
      watch: () => () => {},
      forget: () => {},
    } as unknown as DoorHost; // what joining needs of it
    const address = path.join(folder, 'p.sock');
    const listening = new PrivateSocket(door, new Admissions(clients, () => 5), address, { perClient: 2, inAll: 3 });
    await listening.listen();
    const join = async (given: string) => (await joinDesktop(address, { client: null, token: given }))!;
    const open = [await join(token), await join(token)];
    const third = await join(token);
    expect(third.welcome).toMatchObject({ welcome: false, reason: 'too-many' });
    third.socket.destroy();
    await expect
      .poll(async () => {
        const joined = await join(other);
        if (joined.welcome.welcome) open.push(joined);
        return joined.welcome.welcome;
      })
      .toBe(true);
    await expect(join(other)).rejects.toThrow(/did not say|ECONN|EPIPE/);
    for (const { socket } of open) socket.destroy();
    await listening.close();
  });

  it('are 64 for each client where nothing else was said', async () => {
    const clients = new Clients(null);
    const { token } = await clients.mint('busy');
    const door = {
      authenticate: (given: string) => clients.authenticate(given),
      connect: () => () => {},
      watch: () => () => {},
      forget: () => {},
    } as unknown as DoorHost; // what joining needs of it
    const address = path.join(folder, 'd.sock');
    const listening = new PrivateSocket(door, new Admissions(clients, () => 5), address);
    await listening.listen();
    const joined = [];
    for (let index = 0; index < 65; index += 1) joined.push((await joinDesktop(address, { client: null, token }))!);
    expect(joined.map(({ welcome }) => welcome.welcome)).toEqual([...Array<boolean>(64).fill(true), false]);
    for (const { socket } of joined) socket.destroy();
    await listening.close();
  });
});
