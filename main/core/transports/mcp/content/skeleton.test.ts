import { expect, it } from 'vitest';
import { Skeleton } from './skeleton.ts';

function idOf(text: string): string | number | null {
  const skeleton = new Skeleton();
  const octets = Buffer.from(text);
  for (let at = 0; at < octets.length; at += 7) skeleton.take(octets.subarray(at, at + 7));
  return skeleton.id;
}

it('The id of a long request is found before and after its parameters [issue 35.1]', () => {
  const params = { name: 'x', arguments: { code: `"id": 3 }] \\" ${'é{'.repeat(10_000)}`, id: 9 } };
  expect([
    idOf(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })),
    idOf(JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params, id: 'a"b' })),
    idOf(JSON.stringify({ jsonrpc: '2.0', method: 'x', params })),
    idOf('x'.repeat(10_000)),
    idOf(JSON.stringify({ id: 1, text: 'x'.repeat(10_000) })),
  ]).toEqual([7, 'a"b', null, null, null]);
});
