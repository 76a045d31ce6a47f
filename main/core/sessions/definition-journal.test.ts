import { describe, expect, it } from 'vitest';
import type { DefinitionEvent } from '#contract/definition.ts';
import { DefinitionJournal } from './definition-journal.ts';

const event = (id: number, actor: string, evaluation = 'e1'): DefinitionEvent => ({
  id,
  kind: 'function',
  name: `F${id}`,
  package: 'SHOP',
  operation: 'defined',
  actor,
  evaluation,
  time: 0,
  source: null,
  hasText: true,
  undoes: null,
});
const isPerson = (actor: string | null): boolean => actor === 'person';
const shown = (journal: DefinitionJournal, filter = {}) =>
  journal.entries(filter).map(({ id, life, reviewed }) => [id, life, reviewed]);

describe('DefinitionJournal', () => {
  it('P2 lists the latest first; what agents define waits for a review', () => {
    const journal = new DefinitionJournal();
    journal.record([event(1, 'person'), event(2, 'client:a'), event(3, 'client:a', 'e2')], 4, isPerson);
    expect(shown(journal)).toEqual([
      [3, 1, false],
      [2, 1, false],
      [1, 1, true],
    ]);
    journal.review([2], true);
    expect(shown(journal, { actor: 'client:a', reviewed: false })).toEqual([[3, 1, false]]);
    expect(shown(journal, { evaluation: 'e2' })).toEqual([[3, 1, false]]);
    expect(journal.unlisted).toBe(4);
  });

  it('tells apart what happened in an image that is gone, and forgets the oldest', () => {
    const journal = new DefinitionJournal(2);
    journal.record([event(1, 'person'), event(2, 'person')], 0, isPerson);
    journal.beginLife();
    expect(journal.undoable(2)).toBe(false);
    journal.record([event(1, 'client:a')], 0, isPerson);
    expect(shown(journal)).toEqual([
      [1, 2, false],
      [2, 1, true],
    ]);
    expect(journal.undoable(1)).toBe(true);
  });
});
