/** Reads the body of a request, with limits on its size and on the time in which it must arrive. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT, parseBody, type Refusal } from './request-checks.ts';

/** Statuses after which the connection cannot be reused, because the rest of the body is not read. */
export const ENDS_CONNECTION: ReadonlySet<number> = new Set([408, 413]);

/** Reads the whole body of a request, which must arrive within `ms` milliseconds. */
export function readBody(incoming: IncomingMessage, ms: number): Promise<{ value: unknown } | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (result: { value: unknown } | Refusal): void => {
      clearTimeout(timer);
      incoming.off('data', take).off('end', finish).off('close', finish).off('error', finish);
      if (!incoming.complete) incoming.pause();
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > BODY_LIMIT) end({ status: 413, message: `The body has more than ${BODY_LIMIT} bytes.` });
    };
    const finish = (): void =>
      end(
        incoming.complete
          ? parseBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
          : { status: 400, message: 'The body ended before it was complete.' },
      );
    const timer = setTimeout(
      () => end({ status: 408, message: `The body did not arrive within ${ms / 1000} seconds.` }),
      ms,
    );
    incoming.on('data', take).on('end', finish).on('close', finish).on('error', finish);
  });
}
