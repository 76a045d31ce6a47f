import { describe, expect, it } from 'vitest';
import { auditLine, GENESIS, maskSecrets, verifyLine } from './line.ts';

describe('audit lines', () => {
  const events = [{ kind: 'a', text: 'λ "quoted" \n' }, { kind: 'b', hash: 'x"}' }, { kind: 'c' }];
  const chain = events.reduce<{ lines: string[]; hash: string }>(
    ({ lines, hash }, event) => {
      const next = auditLine(event, hash);
      return { lines: [...lines, next.line], hash: next.hash };
    },
    { lines: [], hash: GENESIS },
  );

  it('Audit lines are one line of JSON each and hold their event [K5]', () => {
    expect(chain.lines.map((line) => (JSON.parse(line) as { event: unknown }).event)).toEqual(events);
    expect(chain.lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('Audit lines verify as a chain [K5]', () => {
    const verified = chain.lines.reduce<string | null>(
      (hash, line) => hash && verifyLine(line.trimEnd(), hash),
      GENESIS,
    );
    expect(verified).toBe(chain.hash);
  });

  it.each([
    ['a changed event', (lines: string[]) => [lines[0]!, lines[1]!.replace('"b"', '"x"'), lines[2]!]],
    ['a line taken out', (lines: string[]) => [lines[0]!, lines[2]!]],
    ['lines in another order', (lines: string[]) => [lines[1]!, lines[0]!, lines[2]!]],
    ['a torn line', (lines: string[]) => [lines[0]!, lines[1]!.slice(0, 30), lines[2]!]],
  ])('Audit lines show %s [K5]', (_name, tamper) => {
    const verified = tamper(chain.lines).reduce<string | null>(
      (hash, line) => hash && verifyLine(line.trimEnd(), hash),
      GENESIS,
    );
    expect(verified).toBeNull();
  });
});

describe('secrets', () => {
  it.each([
    ['curl -H "Authorization: Bearer abcdefghijklmnop"', 'curl -H "Authorization: Bearer •••"'],
    ['(setf key "sk-abcdefghijklmnop1234")', '(setf key "sk-•••")'],
    ['password: hunter22', 'password: •••'],
    ['(print "nothing secret")', '(print "nothing secret")'],
  ])('Secrets in %s are masked [K5]', (text, masked) => {
    expect(maskSecrets({ deep: [{ text }] })).toEqual({ deep: [{ text: masked }] });
  });
});
