import { describe, expect, it } from 'vitest';
import { encodeText, TelnetDecoder } from './telnet-protocol.ts';

function decoded(...chunks: (string | number[])[]): unknown[] {
  const decoder = new TelnetDecoder();
  return chunks
    .flatMap((chunk) => decoder.take(Buffer.from(chunk as string)))
    .map((event) => ('octets' in event ? [event.kind, event.octets.toString('latin1')] : event.kind));
}

describe('telnet', () => {
  it.each<[string, (string | number[])[], unknown[]]>([
    ['line ends', ['a\r\nb\r\0c\rd\ne'], [['text', 'a\nb\nc\nd\ne']]],
    [
      'a line end in two parts',
      ['a\r', '\nb'],
      [
        ['text', 'a\n'],
        ['text', 'b'],
      ],
    ],
    ['a doubled 255', [[97, 255, 255, 98]], [['text', 'a\u00FFb']]],
    ['an interrupt between text', [[97, 255, 244, 98]], [['text', 'a'], 'interrupt', ['text', 'b']]],
    ['a break', [[255, 243]], ['interrupt']],
    ['Ctrl-C and Ctrl-D', [[3, 4]], ['interrupt', 'end']],
    [
      'a command in parts',
      [[255], [253], [24, 120]],
      [
        ['reply', '\u00FF\u00FC\u0018'],
        ['text', 'x'],
      ],
    ],
    [
      'options, which are refused',
      [[255, 251, 31, 255, 253, 3]],
      [
        ['reply', '\u00FF\u00FE\u001F'],
        ['reply', '\u00FF\u00FC\u0003'],
      ],
    ],
    ['refusals, which are not answered', [[255, 252, 1, 255, 254, 3]], []],
    ['the echo, which was ours', [[255, 253, 1, 255, 254, 1]], []],
    ['a subnegotiation', [[255, 250, 24, 0, 120, 255, 255, 255, 240, 97]], [['text', 'a']]],
    ['one that never ends', [[255, 250, ...Array.from({ length: 1001 }, () => 120), 97]], [['text', 'a']]],
    ['a question whether somebody is there', [[255, 246]], [['reply', '[Yes]\r\n']]],
    [
      'keys that erase',
      [[97, 127, 8, 255, 247, 255, 248]],
      [['text', 'a'], 'erase-character', 'erase-character', 'erase-character', 'erase-line'],
    ],
  ])('A connection by telnet understands %s [L27]', (_what, chunks, events) => {
    expect(decoded(...chunks)).toEqual(events);
  });

  it('Text leaves with line ends as telnet has them [L27]', () => {
    expect(encodeText('a\nb\r\nc\rd')).toBe('a\r\nb\r\nc\r\0d');
  });
});
