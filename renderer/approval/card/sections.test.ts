import { describe, expect, it } from 'vitest';
import type { CardEffect, CardSection } from '#contract/decisions/approval.ts';
import type { Row } from '../diff/rows.ts';
import { closedFolds, foldKey, NEW_DRAFT } from '../edit/draft.ts';
import { aCard, aChange } from '../testing.ts';
import { drawnSections, foldedKeys } from './sections.ts';

function section(content: CardSection['content'], key: string = content.kind): CardSection {
  return { key, label: key, content, lisp: false, reason: null };
}

function anEffect(targets: CardEffect['targets']): CardEffect {
  return { targets, frames: [], innerFrames: [], before: [], beforeCount: 0 };
}

const lines = (rows: readonly Row[]): string[] =>
  rows.map((row) => (row.kind === 'line' ? row.pieces.map(({ text }) => text).join('') : row.kind));

describe('sections of a card', () => {
  it('The sections of a card draw its change, an argument, a fact and its targets [X14, G2]', () => {
    const card = aCard({
      change: aChange([{ before: 0, after: 1, lines: ['+(a)'] }]),
      effect: anEffect([{ text: '/p/a', difference: '' }]),
      sections: [
        section({ kind: 'change' }),
        section({ kind: 'argument', name: 'path' }),
        section({ kind: 'fact', name: 'environment' }),
        section({ kind: 'targets' }),
      ],
    });
    card.facts.known = [{ name: 'environment', value: 'A=1\nB=2', place: 'below' }];
    expect(drawnSections(card).map(({ rows }) => lines(rows))).toEqual([
      ['hunk', '(a)'],
      ['a.lisp'],
      ['A=1', 'B=2'],
      ['/p/a'],
    ]);
  });

  it('Targets that wait for one decision have a line each, whatever characters they are made of [G2]', () => {
    const targets = [
      { text: '/p/1\n/p/harmless', difference: 'size 3' },
      { text: '/p/2', difference: '' },
    ];
    const [drawn] = drawnSections(aCard({ effect: anEffect(targets), sections: [section({ kind: 'targets' })] }));
    expect(lines(drawn!.rows)).toEqual(['/p/1⟨U+000A⟩/p/harmless   size 3', '/p/2']);
  });

  it('Targets fold where they are more than are seen at once, so that all of them are opened before approving [G2]', () => {
    const targets = Array.from({ length: 81 }, (_, index) => ({ text: `/p/${index}`, difference: '' }));
    const sections = drawnSections(aCard({ effect: anEffect(targets), sections: [section({ kind: 'targets' })] }));
    expect([sections[0]!.rows.length, foldedKeys(sections)]).toEqual([81, ['targets']]);
  });

  it('A target folds where one line has 14,000 characters [G2]', () => {
    const effect = anEffect([{ text: 'x'.repeat(14_000), difference: '' }]);
    expect(foldedKeys(drawnSections(aCard({ effect, sections: [section({ kind: 'targets' })] })))).toEqual(['targets']);
  });

  it('Facts of an effect that are long fold and must be opened before approving [G2]', () => {
    const value = Array.from({ length: 90 }, (_, index) => `A${index}=1`).join('\n');
    const card = aCard({
      effect: anEffect([{ text: 'x'.repeat(400 * 100), difference: '' }]),
      sections: [section({ kind: 'targets' }), section({ kind: 'fact', name: 'environment' }, 'fact environment')],
    });
    card.facts.known = [{ name: 'environment', value, place: 'below' }];
    expect(foldedKeys(drawnSections(card))).toEqual(['targets', 'fact environment']);
  });

  it('A long argument must be opened again when the card is drawn again [K3, X14]', () => {
    const code = { name: 'code', value: '(padding)\n'.repeat(10_000), place: 'below', size: '' } as const;
    const long = aCard({
      arguments: [code],
      sections: [section({ kind: 'argument', name: 'code' }, 'argument code')],
    });
    const folded = foldedKeys(drawnSections(long));
    const draft = { ...NEW_DRAFT, opened: [foldKey('f', 'argument code')] };
    expect([folded, closedFolds(draft, 'f', folded), closedFolds(draft, 'g', folded)]).toEqual([
      ['argument code'],
      [],
      ['argument code'],
    ]);
  });
});
