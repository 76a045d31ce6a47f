import { describe, expect, it } from 'vitest';
import { withTable } from './toml-text.ts';

const put = (text: string): string => withTable(text, ['servers', 'own'], { command: 'c', env: { A: 'b' } });
const TABLE = '[servers.own]\ncommand = "c"\n\n[servers.own.env]\nA = "b"\n';

describe('table in a text of TOML', () => {
  it.each<[string, string, string]>([
    ['an empty text', '', TABLE],
    ['a text without tables', 'model = "o"', `model = "o"\n\n${TABLE}`],
    ['tables of others', '[servers.their]\na = 1\n', `[servers.their]\na = 1\n\n${TABLE}`],
    ['its name in quotes', '[servers."own"]\nold = 1\n', TABLE],
    [
      'what follows it, with its comment',
      '[ servers . own ]\nold = 1\n[servers.own.env]\nB = "x"\n\n# of the next\n[next]\na = 2024-01-01\n',
      `${TABLE}\n# of the next\n[next]\na = 2024-01-01\n`,
    ],
    ['line ends of Windows', 'a = 1\r\n', `a = 1\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`],
    ['numbers beyond those of JavaScript', 'a = 9007199254740993\n', `a = 9007199254740993\n\n${TABLE}`],
    ['brackets at the beginning of lines', 'a = [\n[1],\n[2],\n]\n', `a = [\n[1],\n[2],\n]\n\n${TABLE}`],
  ])('Putting a table into TOML keeps %s [D14]', (_what, before, after) => {
    expect(put(before)).toBe(after);
    expect(put(after)).toBe(after);
  });

  it.each([
    '[servers.own]\na = """\n[text]\nmore\n"""\n',
    'servers.own.command = "x"\n',
    '[servers]\nown = { command = "x" }\n',
    '[[servers]]\na = 1\n',
    'a = \n',
  ])('Putting a table into TOML leaves alone %j [D14]', (text) => {
    expect(() => put(text)).toThrow(/cannot be edited here|It is not valid TOML/);
  });
});
