import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quoted, quotedPath, wordsOf } from './shell-quoting.ts';

describe('Words of a command line', () => {
  it('Are split as a shell splits them', () => {
    for (const text of [
      'a b  c',
      `-p 2222 -i "/home/a b/key" -o 'User x'`,
      String.raw`a\ b "c\"d" "e\f" 'g\h'`,
      `"" '' a""b`,
      '  lead and trail  ',
      '',
    ])
      expect([text, ...wordsOf(text)]).toEqual([text, ...inShell(text)]);
  });

  it('Are refused where a quote is not closed', () => {
    expect(() => wordsOf('a "b')).toThrow('A quote (") is not closed in: a "b');
  });

  it('Come through a shell as they were when they are quoted', () => {
    for (const word of ['plain', "it's", 'a b', '$HOME `x` \\', '', 'é\nline'])
      expect(inShell(quoted(word))).toEqual([word]);
    expect(inShell(quotedPath('~/a b'))).toEqual([`${process.env['HOME']}/a b`]);
    expect(inShell(quotedPath('~other/a'))).toEqual(['~other/a']);
  });
});

function inShell(text: string): string[] {
  const said = execFileSync('sh', ['-c', `for each in ${text}; do printf '%s\\0' "$each"; done`], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}
