import { describe, expect, it } from 'vitest';
import { TerminalOutput } from './terminal-output.ts';

const ESC = '\u001B';
const RESET = `${ESC}[0m`;

describe('text of the image on a terminal', () => {
  it.each<[string, string, string]>([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, `${ESC}[1;31mred${ESC}[0m${RESET}`],
    ['a colour that is left on', `${ESC}[32mgreen`, `${ESC}[32mgreen${RESET}`],
    ['the cursor', `a${ESC}[2A${ESC}[Kb`, 'a⟨U+001B⟩[2A⟨U+001B⟩[Kb'],
    ['a title', `${ESC}]0;title\u0007`, '⟨U+001B⟩]0;title⟨U+0007⟩'],
    ['text that nobody would see', `${ESC}[8msecret${ESC}[1;08m`, 'secret'],
    ['a control of eight bits', '\u009B2J', '⟨U+009B⟩2J'],
    ['a direction', 'a\u202Eb', 'a⟨U+202E⟩b'],
    ['line ends and tabs', 'a\tb\rc\n', 'a\tb\rc\n'],
    ['half an escape at the end', `x${ESC}[3`, 'x⟨U+001B⟩[3'],
  ])('A terminal is shown %s and obeys nothing else [K2, case 26]', (_what, text, shown) => {
    const output = new TerminalOutput(true);
    expect(output.shown(text) + output.settle()).toBe(shown);
  });

  it('A colour that comes in two parts is one [D5]', () => {
    const output = new TerminalOutput(true);
    expect([output.shown(`a${ESC}`), output.shown('[3'), output.shown('1mb')]).toEqual(['a', '', `${ESC}[31mb`]);
  });

  it('Without colours those of the code are left out [D17]', () => {
    const output = new TerminalOutput(false);
    expect(output.shown(`${ESC}[31mred${RESET}`) + output.settle()).toBe('red');
  });
});
