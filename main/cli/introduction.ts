/**
 * Finds the name of the program that started the command, in the program's first message. Both the old and the new protocol of MCP include
 * the name in that message.
 */
import type { Readable } from 'node:stream';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { programTitle } from '#core/clients/programs.ts';

const named = z.object({ name: z.string().trim().min(1) });
const first = z.object({
  params: z.object({
    clientInfo: named.optional().catch(undefined),
    _meta: z
      .object({ [CLIENT_INFO_META_KEY]: named })
      .optional()
      .catch(undefined),
  }),
});

/** The maximum size in bytes of the first message; a longer message is not parsed. */
const MOST = 64 * 1024;
/** The maximum length of a name in characters; a longer name is cut. */
const LONGEST_NAME = 100;

export interface Introduction {
  /** The program's display name; null if its first message does not contain a name. */
  readonly program: string | null;
}

/**
 * Resolves with the introduction of the program that writes to `input`; null if the input ends before the first message. Puts the message
 * back into the stream, and leaves the stream paused.
 */
export async function introduction(input: Readable): Promise<Introduction | null> {
  const line = await firstLine(input);
  if (line === null) return null;
  const parsed = first.safeParse(parseJson(line));
  if (!parsed.success) return { program: null };
  const { clientInfo, _meta: meta } = parsed.data.params;
  const name = (clientInfo ?? meta?.[CLIENT_INFO_META_KEY])?.name;
  return { program: name === undefined ? null : programTitle(name.slice(0, LONGEST_NAME)) };
}

/**
 * Reads up to the first line end, then puts all data back into the stream. Resolves with the line, with an empty line if the line is longer
 * than `MOST`, or with null at the end of input.
 */
function firstLine(input: Readable): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let held = Buffer.alloc(0);
  const finish = (line: string): void => {
    input.off('data', take).off('end', ended).pause();
    input.unshift(held);
    resolve(line);
  };
  const take = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(10);
    if (end >= 0) finish(held.subarray(0, end).toString('utf8'));
    else if (held.length > MOST) finish('');
  };
  const ended = (): void => resolve(null);
  input.on('data', take).on('end', ended);
  return promise;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
