import { describe, expect, it } from 'vitest';
import { foundSettings, inGroups } from './found.ts';

const ALL = [
  { id: 'theme', group: 'Looks', title: 'Theme', words: 'light dark' },
  { id: 'keymap', group: 'Keys', title: 'Keymap', words: 'VS Code SLIME Emacs' },
  { id: 'font', group: 'Looks', title: 'Editor font size', words: '' },
];
const ids = (wanted: string): string[] => foundSettings(ALL, wanted).map(({ id }) => id);

describe('search among settings', () => {
  it('Settings are found by words of their title, values and group, in any order and case', () => {
    expect([ids('dark'), ids('slime'), ids('SIZE editor'), ids('looks'), ids('slime dark')]).toEqual([
      ['theme'],
      ['keymap'],
      ['font'],
      ['theme', 'font'],
      [],
    ]);
  });

  it('Without a search all settings stand under their headings, each heading once', () => {
    expect(
      inGroups(foundSettings(ALL, '  ')).map(({ title, settings }) => [title, ...settings.map(({ id }) => id)]),
    ).toEqual([
      ['Looks', 'theme', 'font'],
      ['Keys', 'keymap'],
    ]);
  });
});
