import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder } from './frame.ts';

const messages = [
  { id: 1, op: 'ping' },
  { text: 'λ 😀 \u0000 \u2028' },
  [],
  { deep: [[[[1]]]] },
  { long: 'x'.repeat(100_000) },
];

function decodeIn(sizes: number): unknown[] {
  const octets = Buffer.concat(messages.map(encodeFrame));
  const decoder = new FrameDecoder();
  const decoded: unknown[] = [];
  for (let at = 0; at < octets.length; at += sizes) decoded.push(...decoder.push(octets.subarray(at, at + sizes)));
  return decoded;
}

describe('frames', () => {
  it.each([1, 2, 3, 7, 64, 4096, 1_000_000])('come back whole from chunks of %i octets', (size) => {
    expect(decodeIn(size)).toEqual(messages);
  });

  it('count octets, not characters', () => {
    expect(encodeFrame('λ').toString('latin1')).toMatch(/^4\n/);
  });

  it.each(['x', '\n', '-1\n{}', '12345678901\n', '1.5\n{}', ' 2\n{}', '99999999999'])(
    'with the header %j end the wire',
    (octets) => {
      expect(() => new FrameDecoder().push(Buffer.from(octets))).toThrow(/length belongs/);
    },
  );

  it('with a payload that is no JSON end the wire', () => {
    expect(() => new FrameDecoder().push(Buffer.from('3\n{a}'))).toThrow(/no JSON/);
  });

  it('wait for the rest of a header that was cut', () => {
    const decoder = new FrameDecoder();
    expect([
      decoder.push(Buffer.from('1')),
      decoder.push(Buffer.from('2\n"0123456')),
      decoder.push(Buffer.from('789"')),
    ]).toEqual([[], [], ['0123456789']]);
  });
});
