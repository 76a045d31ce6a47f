import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BODY_LIMIT } from '../../http/request-checks.ts';
import { LineTransport } from './line-transport.ts';

let input: PassThrough;
let transport: LineTransport;
let messages: unknown[];
let answers: { id: unknown; error: { code: number; message: string } }[];

beforeEach(async () => {
  input = new PassThrough();
  const output = new PassThrough();
  messages = [];
  answers = [];
  output.on('data', (chunk: Buffer) => answers.push(JSON.parse(chunk.toString()) as (typeof answers)[number]));
  transport = new LineTransport(input, output);
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
});

afterEach(() => transport.close());

const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { 'λ😀': 1 } });

describe('messages in lines', () => {
  it('Messages in lines arrive whole however they are cut, between the octets of a character too [K1, case 9]', async () => {
    for (const octet of Buffer.from(`${ping(1)}\n\r\n${ping(2)}\n`)) input.write(Buffer.from([octet]));
    await expect.poll(() => messages).toEqual([JSON.parse(ping(1)), JSON.parse(ping(2))]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['no JSON', Buffer.from('{"jsonrpc"'), /JSON/],
    ['NaN', Buffer.from('{"jsonrpc":"2.0","id":NaN}'), /JSON/],
    ['a name twice', Buffer.from('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'), /"id" occurs twice/],
    ['too deep', Buffer.from('['.repeat(65)), /deeper than 64/],
    ['too long', Buffer.alloc(BODY_LIMIT + 1, 0x20), /more than 4194304 bytes/],
  ])('A wrong line is answered, and the next one is served: %s [K1, case 9]', async (_what, line, message) => {
    input.write(line);
    input.write(`\n${ping(3)}\n`);
    await expect.poll(() => messages).toEqual([JSON.parse(ping(3))]);
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700, message: expect.stringMatching(message) as unknown } },
    ]);
  });

  it('Messages in lines stop when the input ends [K1, case 9]', async () => {
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    input.end();
    expect(await closed).toBeUndefined();
  });
});
