import { visibleLine } from '#contract/visible.ts';
import { describe, expect, it } from 'vitest';
import type { CardEffect } from '#contract/approval.ts';
import { choicesOf, chosenOf, decisionOf, effectFactsOf, matchedWords, ruleWords } from './effect.ts';
import { foldedKeys } from './sections.ts';
import { aCard } from '../testing.ts';

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
    differences: [''],
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

describe('restarts of an effect', () => {
  const choices = choicesOf(card, anEffect());

  it('The restarts of an effect have the numbers and names of the image, and only those that the card offers [G3]', () => {
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

  it('The restarts of an effect say what is decided [G3]', () => {
    const typed = { path: ' b.csv ', reason: 'Keep it.' };
    expect(choices.map((choice) => decisionOf(choice, typed))).toEqual([
      { decision: 'approved' },
      { decision: 'approved', remember: 'target' },
      { decision: 'approved', path: 'b.csv' },
      { decision: 'denied', reason: 'Keep it.' },
      { decision: 'denied', reason: '', abort: true },
    ]);
  });

  it('A chosen restart becomes a denial when it is not offered any more [G3]', () => {
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
  ])('A restart that remembers says what it would have answered: %i of %i [G3]', (matched, of, words) => {
    expect(matchedWords({ matched, of })).toBe(words);
  });
});

describe('facts of an effect', () => {
  it('The facts of an effect are the real target with its size and date, then what else is known [G2]', () => {
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

  it('The facts of an effect name a thread only where it is not the one that evaluations have anyway [G2]', () => {
    const labels = effectFactsOf(card, anEffect({ thread: 'lisp-workbench worker' })).rows.map(({ label }) => label);
    expect(labels).toEqual(['Contents']);
  });

  it('The facts of an effect count the targets that wait for one decision, each in a line of its own [G2]', () => {
    const targets = ['/p/1\n/p/harmless', '/p/2'];
    const differences = ['size 3', ''];
    const { target, sections } = effectFactsOf(card, anEffect({ targets, differences, targetCount: 2 }));
    expect([target, sections[0]!.label, sections[0]!.rows.length]).toEqual([null, '2 targets, one decision', 2]);
    const lines = sections[0]!.rows.map((row) =>
      row.kind === 'line' ? row.pieces.map(({ text }) => text).join('') : '',
    );
    expect(lines).toEqual(['/p/1⟨U+000A⟩/p/harmless   size 3', '/p/2']);
  });

  it('The facts of an effect fold where the targets are more than are seen at once, so that all of them are opened before approving [G2]', () => {
    const targets = Array.from({ length: 81 }, (_, index) => `/p/${index}`);
    const { sections } = effectFactsOf(card, anEffect({ targets, differences: [], targetCount: 81 }));
    expect([sections[0]!.rows.length, foldedKeys(sections)]).toEqual([81, ['targets']]);
  });

  it('The facts of an effect fold where one line has 14,000 characters [G2]', () => {
    const { sections } = effectFactsOf(card, anEffect({ targets: ['x'.repeat(14_000)] }));
    expect(foldedKeys(sections)).toEqual(['targets']);
  });

  it('Facts of an effect that are long fold and must be opened before approving [G2]', () => {
    const command = 'x'.repeat(400 * 100);
    const environment = Array.from({ length: 90 }, (_, index) => `A${index}=1`).join('\n');
    const { sections } = effectFactsOf(
      card,
      anEffect({ targets: [command], facts: [{ name: 'environment', value: environment }] }),
    );
    expect(foldedKeys(sections)).toEqual(['targets', 'fact environment']);
  });

  it('The words of a rule leave out the middle of a long target, which stands on the card [G2]', () => {
    expect(ruleWords('effect write for /p')).toBe('effect write for /p');
    const words = ruleWords(`effect run-program for ${'x'.repeat(20_000)}, until it ends`);
    expect(words.length).toBeLessThan(400);
    expect(words).toMatch(
      /^effect run-program for x+ … 19,[0-9]{3} characters of the target above … x+, until it ends$/,
    );
  });

  it('The facts of an effect hide no character [K2, G2]', () => {
    expect(visibleLine('a\u202Eb\nc\td')).toBe('a⟨U+202E⟩b⟨U+000A⟩c⟨U+0009⟩d');
  });
});
