import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder, wakeMark, type Mark } from './frame.ts';

const messages = [
  { id: 1, op: 'ping' },
  { text: 'λ 😀 \u0000 \u2028 \n!ended 5\n' },
  [],
  { deep: [[[[1]]]] },
  { long: 'x'.repeat(100_000) },
];

function decode(octets: Buffer, size: number): { messages: unknown[]; marks: Mark[] } {
  const decoder = new FrameDecoder();
  const decoded = { messages: [] as unknown[], marks: [] as Mark[] };
  for (let at = 0; at < octets.length; at += size) {
    const { messages: some, marks } = decoder.push(octets.subarray(at, at + size));
    decoded.messages.push(...some);
    decoded.marks.push(...marks);
  }
  return decoded;
}

/** Returns the error that a decoder throws for these octets. */
function faultOf(octets: Buffer): unknown {
  try {
    return { decoded: new FrameDecoder().push(octets) };
  } catch (fault) {
    return fault;
  }
}

describe('frames', () => {
  it.each([1, 2, 3, 7, 64, 4096, 1_000_000])('Frames come back whole from chunks of %i octets', (size) => {
    expect(decode(Buffer.concat(messages.map(encodeFrame)), size)).toEqual({ messages, marks: [] });
  });

  it('Frames count octets, not characters', () => {
    expect(encodeFrame('λ').toString('latin1')).toMatch(/^4\n/);
  });

  it.each([
    'x',
    '\nx',
    '-1\n{}',
    '12345678901\n',
    '1.5\n{}',
    ' 2\n{}',
    '1:\n',
    '99999999999',
    '\n!born 5\n',
    '\n!live x\n',
  ])('A frame with the header %j ends the wire', (octets) => {
    expect(faultOf(Buffer.from(octets))).toMatchObject({
      code: 'wire',
      message: expect.stringMatching(/instead of the length of a frame/),
    });
  });

  it('A fault of a header shows how it begins, each octet as one character', () => {
    expect(faultOf(Buffer.from('xé and what the process printed'))).toMatchObject({
      message: `The image sent "xÃ© and wh" instead of the length of a frame.`,
    });
    expect(faultOf(Buffer.from('\n!born with all that was printed\n'))).toMatchObject({
      message: String.raw`The image sent "\n!born with all that" instead of the length of a frame.`,
    });
  });

  it('A length of a frame has nine digits at most, and may have as many', () => {
    expect(decode(Buffer.from('000000002\n[]'), 100).messages).toEqual([[]]);
    expect(decode(Buffer.from('000000002\n[]'), 9).messages).toEqual([[]]);
  });

  it('A frame with a payload that is no JSON ends the wire', () => {
    expect(faultOf(Buffer.from('3\n{a}'))).toMatchObject({
      code: 'wire',
      message: 'The image sent a frame of 3 octets that is not JSON.',
      cause: expect.any(SyntaxError),
    });
  });

  it('A frame waits for the rest of a header that was cut', () => {
    expect(decode(Buffer.from('12\n"0123456789"'), 4).messages).toEqual(['0123456789']);
  });
});

describe('marks', () => {
  const before = encodeFrame({ before: 1 });
  const after = encodeFrame({ after: 1 });
  const mark = Buffer.from('\n!ended 12\n\n!live 12\n');
  const marks = [
    { mark: 'ended', pid: 12 },
    { mark: 'live', pid: 12 },
  ];
  const torn = encodeFrame({ torn: 'x'.repeat(30) });

  it.each([1, 2, 3, 5, 8, 100])('Marks drop what was torn at any place, in chunks of %i octets', (size) => {
    for (let cut = 0; cut < torn.length; cut += 1) {
      const octets = Buffer.concat([before, torn.subarray(0, cut), mark, after]);
      expect(decode(octets, size)).toEqual({ messages: [{ before: 1 }, { after: 1 }], marks });
    }
  });

  it('A mark wakes a copy by its pid', () => {
    expect(wakeMark(7).toString()).toBe('\n!wake 7\n');
  });
});
