import { describe, expect, it } from 'vitest';
import { withYamlItem } from './yaml-list.ts';

const put = (text: string): string => withYamlItem(text, ['servers', 'own'], { command: 'c', args: ['a'] });
const OWN = '  - name: own\n    command: c\n    args:\n      - a\n';

describe('item in a list of a text of YAML', () => {
  it.each<[string, string, string]>([
    ['an empty text', '', `servers:\n${OWN}`],
    ['a comment alone', '# mine\n', `# mine\nservers:\n${OWN}`],
    ['other members', 'a: 1 # one', `a: 1 # one\nservers:\n${OWN}`],
    ['an empty list', 'servers:\nb: 2\n', `servers:\n${OWN}b: 2\n`],
    [
      'other items, and what follows them',
      'servers:\n  - name: their # theirs\n    x: [1, 2]\n  - uses: a/b\n\n# next\nb: "2"\n',
      `servers:\n  - name: their # theirs\n    x: [1, 2]\n  - uses: a/b\n${OWN}\n# next\nb: "2"\n`,
    ],
    [
      'those around the one that it replaces',
      'servers:\n  - name: first\n  - name: own\n    old: x\n    list:\n      - 1\n  - name: last\nb: 2\n',
      `servers:\n  - name: first\n${OWN}  - name: last\nb: 2\n`,
    ],
    ['an item whose name is not its first member', 'servers:\n  - command: old\n    name: own\n', `servers:\n${OWN}`],
    ['a list without an indent', 'servers:\n- name: a\n', `servers:\n- name: a\n${OWN.replaceAll(/^ {2}/gm, '')}`],
    ['a deeper indent', 'servers:\n    - name: a\n', `servers:\n    - name: a\n${OWN.replaceAll(/^ {2}/gm, '    ')}`],
    ['line ends of Windows', 'a: 1\r\n', `a: 1\r\nservers:\r\n${OWN.replaceAll('\n', '\r\n')}`],
  ])('Putting an item into a list of YAML keeps %s [D14]', (_what, before, after) => {
    expect(put(before)).toBe(after);
    expect(put(after)).toBe(after);
  });

  it.each([
    'servers: [{ name: a }]\n',
    'servers: []\n',
    'servers: 1\n',
    'servers:\n  a: 1\n',
    '- 1\n',
    'a: "b\n',
    'a: 1\n---\nb: 2\n',
  ])('Putting an item into a list of YAML leaves alone %j [D14]', (text) => {
    expect(() => put(text)).toThrow(/cannot be edited here|It is not valid YAML|is not a list|not contain a map/);
  });
});
