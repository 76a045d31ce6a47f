import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Pairing } from '#core/clients/pairing.ts';
import { Clients } from '#core/clients/clients.ts';
import type { TransportHost } from '../host.ts';
import { joinDesktop, PrivateSocket } from './private-socket.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'socket-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a fake server that sends this text to each connection, and records the text that it receives. */
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

describe.skipIf(process.platform === 'win32')('private socket', () => {
  it('The private socket is not given a token where others could have put it [K1, case 8]', async () => {
    const { address, heard, close } = await impostor('{"welcome":true}\n');
    chmodSync(folder, 0o777);
    await expect(joinDesktop(address, { client: null, token: 'lwb_secret' })).rejects.toThrow(/cannot be trusted/);
    expect(heard()).toBe('');
    close();
  });

  it.each(['hello\n', '{"welcome":"yes"}\n', 'null\n'])(
    'A socket that answers %j is no desktop [K1, case 8]',
    async (answer) => {
      const { address, close } = await impostor(answer);
      await expect(joinDesktop(address, { client: null, token: null })).rejects.toThrow(
        /is not a Lisp Workbench desktop/,
      );
      close();
    },
  );

  it('The desktop is absent when nobody listens at the private socket [K1, case 8]', async () => {
    expect(await joinDesktop(path.join(folder, 'none.sock'), { client: null, token: null })).toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('another user of the machine', () => {
  it('Another user of the machine can neither reach the socket nor put one in its place [K1, cases 7 and 8]', async () => {
    const clients = new Clients(null);
    const address = path.join(folder, 'own.sock');
    const transportHost = { authenticate: () => null, connect: () => () => {} } as unknown as TransportHost; // nobody joins
    const listening = new PrivateSocket(transportHost, new Pairing(clients, () => 5), address);
    await listening.listen();
    expect([statSync(folder).mode & 0o777, statSync(address).mode & 0o777]).toEqual([0o700, 0o600]);
    await listening.close();
    chmodSync(folder, 0o777);
    await expect(new PrivateSocket(transportHost, new Pairing(clients, () => 5), address).listen()).rejects.toThrow(
      /is writable by other users/,
    );
  });
});

describe.skipIf(process.platform === 'win32')('connections to the private socket', () => {
  it('Connections to the private socket are bounded for each client and in all [K1]', async () => {
    const clients = new Clients(null);
    const { token } = await clients.mint('busy');
    const other = (await clients.mint('other')).token;
    const transportHost = {
      authenticate: (given: string) => clients.authenticate(given),
      connect: () => () => {},
      watch: () => () => {},
      forget: () => {},
    } as unknown as TransportHost; // only the parts that joining needs
    const address = path.join(folder, 'p.sock');
    const listening = new PrivateSocket(transportHost, new Pairing(clients, () => 5), address, {
      perClient: 2,
      inAll: 3,
    });
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
    expect((await join(other)).welcome).toMatchObject({
      reason: 'too-many',
      message: expect.stringMatching(/Too many clients/) as string,
    });
    for (const { socket } of open) socket.destroy();
    await listening.close();
  });

  it('A desktop that ends what it has accepted, as one that is being closed does, counts as none [K1]', async () => {
    const address = path.join(folder, 'closing.sock');
    const closing = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => closing.listen(address, resolve));
    expect(await joinDesktop(address, { client: null, token: 'any' })).toBeNull();
    await new Promise<void>((resolve) => closing.close(() => resolve()));
  });

  it('Connections that say nothing keep no client out, however many they are [K1]', async () => {
    const clients = new Clients(null);
    const { token } = await clients.mint('real');
    const transportHost = {
      authenticate: (given: string) => clients.authenticate(given),
      connect: () => () => {},
      watch: () => () => {},
      forget: () => {},
    } as unknown as TransportHost; // only the parts that joining needs
    const address = path.join(folder, 'q.sock');
    const listening = new PrivateSocket(transportHost, new Pairing(clients, () => 5), address);
    await listening.listen();
    const silent: Socket[] = [];
    for (let index = 0; index < 600; index += 1) {
      const socket = connect(address);
      socket.on('error', () => {});
      silent.push(socket);
      await once(socket, 'connect');
    }
    const joined = (await joinDesktop(address, { client: null, token }))!;
    expect(joined.welcome).toMatchObject({ welcome: true, waiting: false });
    await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64);
    for (const socket of [...silent, joined.socket]) socket.destroy();
    await listening.close();
  });

  it('Connections to the private socket are 64 for each client where nothing else was said [K1]', async () => {
    const clients = new Clients(null);
    const { token } = await clients.mint('busy');
    const transportHost = {
      authenticate: (given: string) => clients.authenticate(given),
      connect: () => () => {},
      watch: () => () => {},
      forget: () => {},
    } as unknown as TransportHost; // only the parts that joining needs
    const address = path.join(folder, 'd.sock');
    const listening = new PrivateSocket(transportHost, new Pairing(clients, () => 5), address);
    await listening.listen();
    const joined = [];
    for (let index = 0; index < 65; index += 1) joined.push((await joinDesktop(address, { client: null, token }))!);
    expect(joined.map(({ welcome }) => welcome.welcome)).toEqual([...Array<boolean>(64).fill(true), false]);
    for (const { socket } of joined) socket.destroy();
    await listening.close();
  });
});

describe.skipIf(process.platform === 'win32')('private socket whose file is taken away', () => {
  it.each(['the file', 'its folder'])(
    'A private socket is made again when %s is taken away, and connections go on',
    async (what) => {
      const clients = new Clients(null);
      const { token } = await clients.mint('codex');
      const place = path.join(folder, 'run');
      mkdirSync(place, { mode: 0o700 });
      const address = path.join(place, 's.sock');
      const host = {
        authenticate: (given: string) => clients.authenticate(given),
        connect: () => () => {},
        watch: () => () => {},
        forget: () => {},
      } as unknown as TransportHost; // only the parts that joining needs
      const door = new PrivateSocket(host, new Pairing(clients, () => 5), address, undefined, 20);
      await door.listen();
      const first = await joinDesktop(address, { client: 'codex', token });
      rmSync(what === 'the file' ? address : place, { recursive: true });
      await expect.poll(() => existsSync(address), { timeout: 30_000 }).toBe(true);
      const second = await joinDesktop(address, { client: 'codex', token });
      expect([first?.welcome.welcome, second?.welcome.welcome, first?.socket.destroyed]).toEqual([true, true, false]);
      for (const joined of [first, second]) joined?.socket.destroy();
      await door.close();
      expect(existsSync(address)).toBe(false);
    },
  );
});
