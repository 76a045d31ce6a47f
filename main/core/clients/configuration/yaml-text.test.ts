import { describe, expect, it } from 'vitest';
import { withYamlMember } from './yaml-text.ts';

const put = (text: string): string => withYamlMember(text, ['servers', 'own'], { command: 'c', env: { A: 'b' } });
const OWN = '  own:\n    command: c\n    env:\n      A: b\n';

describe('member in a text of YAML', () => {
  it.each<[string, string, string]>([
    ['an empty text', '', `servers:\n${OWN}`],
    ['a comment alone', '# mine\n', `# mine\nservers:\n${OWN}`],
    ['other members', 'a: 1 # one', `a: 1 # one\nservers:\n${OWN}`],
    ['an empty map', 'servers:\nb: 2\n', `servers:\n${OWN}b: 2\n`],
    [
      'others of the map, and what follows it',
      'servers:\n  their:\n    x: [1, 2] # list\n\n# next\nb: "2"\n',
      `servers:\n  their:\n    x: [1, 2] # list\n${OWN}\n# next\nb: "2"\n`,
    ],
    [
      'those around the one that it replaces',
      "servers:\n  first: {}\n  own:\n    old: 'x'\n    list:\n      - 1\n  last: ~\n",
      `servers:\n  first: {}\n${OWN}  last: ~\n`,
    ],
    ['a deeper indent', 'servers:\n    their: 1\n', `servers:\n    their: 1\n${OWN.replaceAll(/^ {2}/gm, '    ')}`],
    ['line ends of Windows', 'a: 1\r\n', `a: 1\r\nservers:\r\n${OWN.replaceAll('\n', '\r\n')}`],
    ['a long text', `a: ${'word '.repeat(40)}end\n`, `a: ${'word '.repeat(40)}end\nservers:\n${OWN}`],
  ])('Putting a member into YAML keeps %s [D14]', (_what, before, after) => {
    expect(put(before)).toBe(after);
    expect(put(after)).toBe(after);
  });

  it.each(['servers: {their: 1}\n', '{a: 1}\n', '- 1\n', 'servers: 1\n', 'a: "b\n', 'a: 1\n---\nb: 2\n'])(
    'Putting a member into YAML leaves alone %j [D14]',
    (text) => {
      expect(() => put(text)).toThrow(/cannot be edited here|It is not valid YAML|is not a map|not contain a map/);
    },
  );
});
