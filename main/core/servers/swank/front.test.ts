import { afterEach, expect, it } from 'vitest';
import { SwankFront } from './front.ts';
import { connectSwank } from './swank-client.fixture.ts';

let front: SwankFront;

async function listen(more: { secretMs?: number } = {}) {
  const told = { refused: [] as string[], counts: [] as number[], texts: [] as string[] };
  front = new SwankFront({
    port: 0,
    address: '127.0.0.1',
    secret: 'sésame',
    onConnection: (socket) => socket.on('data', (chunk: Buffer) => told.texts.push(chunk.toString())).resume(),
    onCount: (count) => told.counts.push(count),
    onRefused: (why) => told.refused.push(why),
    ...more,
  });
  return { port: await front.listen(), ...told };
}

afterEach(() => front.close());

it('What follows the secret, in the same segment or a later one, is handed on and not before', async () => {
  const { port, texts, counts } = await listen();
  const client = await connectSwank(port, null);
  const secret = Buffer.from('sésame');
  client.raw(Buffer.concat([Buffer.from('000007'), secret, Buffer.from('first ')]));
  await expect.poll(() => texts.join('')).toBe('first ');
  client.raw('second');
  await expect.poll(() => texts.join('')).toBe('first second');
  expect(counts).toEqual([1]);
  client.close();
  await expect.poll(() => counts).toEqual([1, 0]);
});

it('A secret that comes octet by octet is taken', async () => {
  const { port, counts } = await listen();
  const client = await connectSwank(port, null);
  for (const octet of Buffer.from('000007sésame')) client.raw(Buffer.from([octet]));
  await expect.poll(() => counts).toEqual([1]);
});

it('One that is too slow with its secret is turned away', async () => {
  const { port, refused } = await listen({ secretMs: 100 });
  const client = await connectSwank(port, null);
  client.raw('0000');
  await client.closed;
  expect(refused).toEqual(['The client did not send the secret within 0.1 seconds.']);
});

it('More than sixteen connections that know the secret are too many', async () => {
  const { port, refused, counts } = await listen();
  const clients = await Promise.all(Array.from({ length: 17 }, () => connectSwank(port, 'sésame')));
  await expect.poll(() => refused).toEqual(['16 connections are already open.']);
  expect(counts.at(-1)).toBe(16);
  for (const client of clients) client.close();
});

it('Closing ends those that have shown the secret and those that have not', async () => {
  const { port, refused, counts } = await listen();
  const [stranger, known] = [await connectSwank(port, null), await connectSwank(port, 'sésame')];
  await expect.poll(() => counts).toEqual([1]);
  await front.close();
  await Promise.all([stranger.closed, known.closed]);
  expect(refused).toEqual([]);
});
