import { describe, expect, it } from 'vitest';
import type { TextFile } from '../files/files.ts';
import { textChange, unifiedText } from './text-change.ts';

function file(text: string, lossy = false): TextFile {
  return { text, bytes: Buffer.byteLength(text), digest: '', lossy };
}

describe('change that a write makes', () => {
  it.each<[string, string | null, string, string]>([
    ['a new file', null, 'a\nb\n', '+a\n+b'],
    ['a line in the middle', '1\n2\n3\n4\n5\n', '1\n2\nx\n4\n5\n', ' 1\n 2\n-3\n+x\n 4\n 5'],
    ['other line ends', 'a\r\n', 'a\n', '-a\r\n+a'],
    ['lines that look like a diff', '--- a\n', '+++ b\n', '---- a\n++++ b'],
    ['nothing', 'a\n', 'a\n', ''],
  ])('The change of a write is told line by line: %s [D13]', (_name, before, after, expected) => {
    const { hunks, withoutDiff } = textChange('p', '/p', before === null ? null : file(before), after);
    expect([unifiedText(hunks), withoutDiff]).toEqual([expected, null]);
  });

  it('The change of a write is not compared where the file is no text [D13]', () => {
    expect(textChange('p', '/p', file('\uFFFD', true), 'a')).toMatchObject({
      hunks: [],
      withoutDiff: 'The file on disk is not UTF-8 text.',
    });
  });

  it('The comparison gives up texts that are too long, or differ so much that it would hold everybody up [D13]', () => {
    const long = (mark: string): string =>
      Array.from({ length: 60_000 }, (_, row) => `${mark}${(row * 7919) % 104_729}`).join('\n');
    for (const [before, after] of [
      [long('a'), long('b')],
      ['', 'x\n'.repeat(2_000_000)],
    ] as const)
      expect(textChange('p', '/p', file(before), after).withoutDiff).toMatch(/too long/);
  });
});
