/**
 * The first packet of SLIME's protocol: six hexadecimal digits with the length, and the secret. It is checked here instead of by SWANK in
 * the image, because SWANK compares it with `string=`, accepts any stated length, and ends after the first connection of a stranger.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { LONGEST_SECRET } from './secret.ts';

const HEADER = 6;

/**
 * Reads the first packet of a connection, and leaves later data unread. Resolves with the packet, with a sentence that says why the packet
 * is invalid, or with null if the connection ended first.
 */
export function firstPacket(socket: Socket, ms: number): Promise<{ packet: Buffer } | { fault: string } | null> {
  return new Promise((resolve) => {
    let read: Buffer = Buffer.alloc(0);
    const end = (result: { packet: Buffer } | { fault: string } | null): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take).off('close', gone).off('error', gone);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      if (read.length < HEADER) return;
      const header = read.toString('latin1', 0, HEADER);
      const length = /^[0-9a-fA-F]{6}$/.test(header) ? Number.parseInt(header, 16) : NaN;
      if (Number.isNaN(length)) return end({ fault: 'The client’s first message is not a SLIME packet.' });
      if (length > LONGEST_SECRET) return end({ fault: 'The client’s first packet is too long for a secret.' });
      if (read.length < HEADER + length) return;
      end({ packet: read.subarray(HEADER, HEADER + length) });
      socket.unshift(read.subarray(HEADER + length)); // the socket is paused; otherwise this code would read the data again
    };
    const gone = (): void => end(null);
    const timer = setTimeout(
      () => end({ fault: `The client did not send the secret within ${ms / 1000} seconds.` }),
      ms,
    );
    socket.on('data', take).on('close', gone).on('error', gone);
  });
}

/** Compares two secrets in constant time. Returns true if they are equal. */
export function sameSecret(given: Buffer, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(Buffer.from(secret)));
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
