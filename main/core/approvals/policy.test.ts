import { describe, expect, it } from 'vitest';
import { decide, type ClientMode, type Rule } from './policy.ts';
import type { SafetyLevel } from '#contract/tool.ts';

function verdict(level: SafetyLevel, mode: ClientMode = 'collaborate', rules: Partial<Rule>[] = []): string {
  const complete = rules.map((rule, index) => ({
    id: `r${index}`,
    decision: 'allow' as const,
    tool: '*',
    client: null,
    ...rule,
  }));
  const { decision, rule } = decide({ tool: 'write_file', level }, { name: 'codex', mode }, complete);
  return `${decision} by ${rule}`;
}

describe('X6 X7 X8 X9 policy by level and mode', () => {
  it.each<[SafetyLevel, ClientMode, string]>([
    ['safe', 'observe', 'allow by level'],
    ['safe', 'propose', 'allow by level'],
    ['safe', 'collaborate', 'allow by level'],
    ['cautious', 'observe', 'deny by mode'],
    ['cautious', 'propose', 'ask by mode'],
    ['cautious', 'collaborate', 'allow by level'],
    ['dangerous', 'observe', 'deny by mode'],
    ['dangerous', 'propose', 'ask by level'],
    ['dangerous', 'collaborate', 'ask by level'],
  ])('%s in %s mode: %s', (level, mode, expected) => {
    expect(verdict(level, mode)).toBe(expected);
  });
});

describe('policy by rules', () => {
  it.each<[string, SafetyLevel, ClientMode, Partial<Rule>[], string]>([
    ['deny beats allow', 'safe', 'collaborate', [{ decision: 'allow' }, { decision: 'deny' }], 'deny by r1'],
    ['deny beats ask', 'safe', 'collaborate', [{ decision: 'ask' }, { decision: 'deny' }], 'deny by r1'],
    ['ask beats allow', 'safe', 'collaborate', [{ decision: 'allow' }, { decision: 'ask' }], 'ask by r1'],
    ['allow spares a cautious tool the question', 'cautious', 'propose', [{ decision: 'allow' }], 'allow by r0'],
    [
      'X37 allow never lets a dangerous tool run unasked',
      'dangerous',
      'collaborate',
      [{ decision: 'allow' }],
      'ask by level',
    ],
    ['allow does not widen observe', 'cautious', 'observe', [{ decision: 'allow' }], 'deny by mode'],
    ['another client is not meant', 'safe', 'collaborate', [{ decision: 'deny', client: 'claude' }], 'allow by level'],
    ['this client is meant', 'safe', 'collaborate', [{ decision: 'deny', client: 'codex' }], 'deny by r0'],
    ['a pattern fits', 'safe', 'collaborate', [{ decision: 'deny', tool: 'write_*' }], 'deny by r0'],
    ['a pattern does not fit', 'safe', 'collaborate', [{ decision: 'deny', tool: 'read_*' }], 'allow by level'],
    [
      'a dot in a pattern is a dot',
      'safe',
      'collaborate',
      [{ decision: 'deny', tool: 'write.file' }],
      'allow by level',
    ],
    ['a broken rule denies', 'safe', 'collaborate', [{ tool: '' }], 'deny by r0'],
    ['an unknown decision denies', 'safe', 'collaborate', [{ decision: 'maybe' as 'ask' }], 'deny by r0'],
  ])('%s', (_name, level, mode, rules, expected) => {
    expect(verdict(level, mode, rules)).toBe(expected);
  });

  it('says why in words', () => {
    expect(decide({ tool: 'write_file', level: 'dangerous' }, { name: 'codex', mode: 'collaborate' }, []).why).toBe(
      'write_file is a dangerous tool and this client is in collaborate mode',
    );
  });
});
