import { describe, expect, it } from 'vitest';
import type { CardEffect } from '#contract/approval.ts';
import { choicesOf, chosenOf, decisionOf, effectFactsOf, matchedWords, oneLine, ruleWords } from './effect.ts';
import { foldedKeys } from './sections.ts';
import { aCard } from './testing.ts';

function anEffect(change: Partial<CardEffect> = {}): CardEffect {
  return {
    kind: 'delete',
    operator: 'DELETE-FILE',
    thread: 'worker 1',
    facts: [
      { name: 'size', value: '41731' },
      { name: 'modified', value: '2026-01-28T11:02:03Z' },
      { name: 'contents', value: 'deleted too' },
    ],
    frames: [],
    innerFrames: [],
    targets: ['/p/a.csv'],
    targetCount: 1,
    before: [],
    beforeCount: 0,
    redirectable: true,
    abortable: true,
    ...change,
  };
}

const scope = { id: 'target', label: 'effect delete for /p/a.csv', matched: 3, of: 12 };
const card = aCard({ scopes: [scope] });

describe('G3 the restarts of an effect', () => {
  const choices = choicesOf(card, anEffect());

  it('have the numbers and names of the image, and only those that the card offers', () => {
    expect(choices.map(({ restart }) => restart)).toEqual([
      '0: [PROCEED]',
      '1: [PROCEED-ALWAYS]',
      '2: [USE-PATH]',
      '3: [DENY]',
      '4: [ABORT]',
    ]);
    const fewest = choicesOf(aCard(), anEffect({ redirectable: false, abortable: false }));
    expect(fewest.map(({ kind }) => kind)).toEqual(['proceed', 'deny']);
  });

  it('say what is decided', () => {
    const typed = { path: ' b.csv ', reason: 'Keep it.' };
    expect(choices.map((choice) => decisionOf(choice, typed))).toEqual([
      { decision: 'approved' },
      { decision: 'approved', remember: 'target' },
      { decision: 'approved', path: 'b.csv' },
      { decision: 'denied', reason: 'Keep it.' },
      { decision: 'denied', reason: '', abort: true },
    ]);
  });

  it('become a denial when what was chosen is not offered any more', () => {
    const fewer = choicesOf(aCard(), anEffect({ redirectable: false }));
    expect([chosenOf(fewer, null), chosenOf(fewer, 'use-path'), chosenOf(fewer, 'always target')]).toMatchObject([
      { kind: 'proceed' },
      { kind: 'deny' },
      { kind: 'deny' },
    ]);
  });

  it.each([
    [0, 0, 'There were no requests before to try it on.'],
    [1, 1, 'It would have answered the last request.'],
    [0, 1, 'It would not have answered the last request.'],
    [0, 12, 'It would have answered none of the last 12 requests.'],
    [3, 12, 'It would have answered 3 of the last 12 requests.'],
    [12, 12, 'It would have answered all of the last 12 requests.'],
  ])('that remember say what they would have answered: %i of %i', (matched, of, words) => {
    expect(matchedWords({ matched, of })).toBe(words);
  });
});

describe('G2 the facts of an effect', () => {
  it('are the real target with its size and date, then what else is known', () => {
    expect(effectFactsOf(card, anEffect())).toMatchObject({
      target: '/p/a.csv',
      measures: expect.stringMatching(/^41,731 bytes · written 28 January 2026/) as string,
      rows: [
        { label: 'Contents', value: 'deleted too' },
        { label: 'Thread', value: 'worker 1' },
      ],
      sections: [],
    });
  });

  it('name a thread only where it is not the one that evaluations have anyway', () => {
    const labels = effectFactsOf(card, anEffect({ thread: 'lisp-workbench worker' })).rows.map(({ label }) => label);
    expect(labels).toEqual(['Contents']);
  });

  it('count the targets that wait for one decision, each in a line of its own', () => {
    const targets = ['/p/1\n/p/harmless', '/p/2'];
    const { target, sections } = effectFactsOf(card, anEffect({ targets, targetCount: 10_000 }));
    expect([target, sections[0]!.label, sections[0]!.rows.length]).toEqual([
      null,
      'First 2 of 10,000, one decision',
      2,
    ]);
  });

  it('that are long fold and must be opened before approving', () => {
    const command = 'x'.repeat(400 * 100);
    const environment = Array.from({ length: 90 }, (_, index) => `A${index}=1`).join('\n');
    const { sections } = effectFactsOf(
      card,
      anEffect({ targets: [command], facts: [{ name: 'environment', value: environment }] }),
    );
    expect(foldedKeys(sections)).toEqual(['targets', 'fact environment']);
  });

  it('leave out the middle of a rule whose target is long: it stands on the card', () => {
    expect(ruleWords('effect write for /p')).toBe('effect write for /p');
    const words = ruleWords(`effect run-program for ${'x'.repeat(20_000)}, until it ends`);
    expect(words.length).toBeLessThan(400);
    expect(words).toMatch(
      /^effect run-program for x+ … 19,[0-9]{3} characters of the target above … x+, until it ends$/,
    );
  });

  it('K2 hide no character', () => {
    expect(oneLine('a\u202Eb\nc\td')).toBe('a⟨U+202E⟩b⟨U+000A⟩c⟨U+0009⟩d');
  });
});
