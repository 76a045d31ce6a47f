/** A connection from the image. The image connects to a port that is open only for it, and identifies itself with a nonce. */
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { sameSecret } from './authentication.ts';

const BYTES = 32;

export interface AwaitedLink {
  readonly port: number;
  readonly nonce: string;
  /** Resolves with the connection when the image has opened it, or with null if the wait was ended. */
  readonly connected: Promise<Socket | null>;
  /** Stops waiting. */
  close(): void;
}

/** Opens a port on loopback for one connection of the image. */
export async function awaitImage(): Promise<AwaitedLink> {
  const nonce = randomBytes(BYTES).toString('hex');
  let resolve!: (socket: Socket | null) => void;
  const connected = new Promise<Socket | null>((done) => (resolve = done));
  const strangers = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    strangers.add(socket);
    socket.on('error', () => socket.destroy());
    let read: Buffer = Buffer.alloc(0);
    const forget = (): void => void strangers.delete(socket);
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      if (read.length < nonce.length) return;
      socket.pause().off('data', take).off('close', forget);
      forget();
      if (!sameSecret(read.subarray(0, nonce.length), nonce)) return void socket.destroy();
      socket.unshift(read.subarray(nonce.length));
      resolve(socket);
      close();
    };
    socket.on('data', take).on('close', forget);
  });
  const close = (): void => {
    server.close();
    for (const stranger of strangers) stranger.destroy();
    resolve(null);
  };
  server.on('error', close);
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return { port: (server.address() as AddressInfo).port, nonce, connected, close };
}
