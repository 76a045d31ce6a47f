import { expect, it } from 'vitest';
import { detailsOf } from './effect-details.ts';

const details = (...facts: [string, string][]): ReturnType<typeof detailsOf> =>
  detailsOf(facts.map(([name, value]) => ({ name, value, place: 'details' })));

it('The facts that identify a file are listed once, below its name, with sizes and days as people read them', () => {
  expect(
    details(
      ['program', '/usr/bin/rm'],
      ['program size', '72752'],
      ['program modified', '2022-09-20T15:27:27Z'],
      ['program SHA-256', 'a3f5'],
      ['file /p/a', '/p/a'],
      ['file /p/a size', '13'],
      ['inode', '65024:1'],
    ),
  ).toEqual([
    { name: 'program', lines: ['/usr/bin/rm', '73 kB', 'changed 20 Sept 2022', 'SHA-256 a3f5'] },
    { name: 'file', lines: ['/p/a', '13 bytes'] },
    { name: 'inode', lines: ['65024:1'] },
  ]);
});

it('A file that is named like a fact about another file has its own entry, and hides nothing', () => {
  expect(details(['file a', '/p/a'], ['file a size', '/p/a\u202E size'], ['file a SHA-256', '0b'])).toEqual([
    { name: 'file a', lines: ['/p/a'] },
    { name: 'file a size', lines: ['/p/a⟨U+202E⟩ size'] },
    { name: 'file a', lines: ['SHA-256 0b'] },
  ]);
});
