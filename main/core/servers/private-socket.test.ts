import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinDesktop } from './private-socket.ts';

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

describe.skipIf(process.platform === 'win32')('K1 the private socket', () => {
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
