import { describe, expect, it } from 'vitest';
import type { DefinitionEvent } from '#contract/image/definition.ts';
import { DefinitionJournal } from './definition-journal.ts';

const event = (id: number, actor: string, evaluation = 'e1'): DefinitionEvent => ({
  id,
  kind: 'function',
  name: `F${id}`,
  package: 'SHOP',
  operation: 'defined',
  actor,
  author: null,
  code: 'c',
  evaluation,
  time: 0,
  source: null,
  hasText: true,
  undoes: null,
});
const isPerson = ({ actor }: DefinitionEvent): boolean => actor === 'person';
const shown = (journal: DefinitionJournal, filter = {}) =>
  journal.entries(filter).map(({ id, life, seen, reviewed }) => [id, life, seen, reviewed]);

describe('DefinitionJournal', () => {
  it('The journal lists the latest definition first, and what agents define waits for a review [P2]', () => {
    const journal = new DefinitionJournal();
    journal.record([event(1, 'person'), event(2, 'client:a'), event(3, 'client:a', 'e2')], 4, isPerson);
    expect(shown(journal)).toEqual([
      [3, 1, false, false],
      [2, 1, false, false],
      [1, 1, true, false],
    ]);
    journal.review([{ life: 1, id: 2 }], true);
    expect(shown(journal, { actor: 'client:a', reviewed: false })).toEqual([[3, 1, false, false]]);
    expect(shown(journal, { evaluation: 'e2' })).toEqual([[3, 1, false, false]]);
    expect(journal.unlisted).toBe(4);
  });

  it('The journal keeps what the person marked and what they took back when the image goes back', () => {
    const journal = new DefinitionJournal();
    journal.record([event(1, 'client:a'), event(2, 'client:a')], 0, isPerson);
    journal.review([{ life: 1, id: 1 }], true);
    const state = journal.state();
    journal.review([{ life: 1, id: 1 }], false);
    journal.review([{ life: 1, id: 2 }], true);
    const told: unknown[] = [];
    journal.events.on('reviewed', (each) => told.push(each));
    journal.goBack(state);
    expect(shown(journal)).toEqual([
      [2, 1, true, true],
      [1, 1, false, false],
    ]);
    expect(told).toEqual([
      { events: [{ id: 2, code: 'c' }], reviewed: true },
      { events: [{ id: 1, code: 'c' }], reviewed: false },
    ]);
  });

  it('An undo takes what it undid off the list and its mark for good, and lists what it brought back [issue 34.1]', () => {
    const journal = new DefinitionJournal();
    journal.record([event(1, 'client:a')], 0, isPerson);
    journal.review([{ life: 1, id: 1 }], true);
    const state = journal.state();
    journal.record([{ ...event(2, 'person'), name: 'F1', undoes: 1 }], 0, isPerson);
    const undone = [
      [2, 1, true, false],
      [1, 1, true, false],
    ];
    expect(shown(journal)).toEqual(undone);
    journal.review([{ life: 1, id: 1 }], true);
    expect(shown(journal)).toEqual(undone);
    journal.record([{ ...event(3, 'person'), name: 'F1', undoes: 2, author: 'client:a' }], 0, isPerson);
    expect(shown(journal)).toEqual([[3, 1, false, false], ...undone]);
    journal.goBack(state);
    expect(shown(journal)).toEqual([[1, 1, false, false]]);
  });

  it('An undo takes the mark of what changed the same definition since, and of nothing else of that name [issue 34.1]', () => {
    const journal = new DefinitionJournal();
    const named = (id: number, kind: DefinitionEvent['kind']) => ({ ...event(id, 'client:a'), name: 'F', kind });
    journal.record([named(1, 'function'), named(2, 'macro'), named(3, 'variable')], 0, isPerson);
    journal.review(
      [2, 3].map((id) => ({ life: 1, id })),
      true,
    );
    const state = journal.state();
    journal.record([{ ...named(4, 'macro'), actor: 'person', undoes: 1 }], 0, isPerson);
    journal.goBack(state);
    expect(shown(journal)).toEqual([
      [3, 1, true, true],
      [2, 1, false, false],
      [1, 1, false, false],
    ]);
  });

  it('The journal tells apart what happened in an image that is gone, and forgets the oldest', () => {
    const journal = new DefinitionJournal(2);
    journal.record([event(1, 'person'), event(2, 'person')], 0, isPerson);
    journal.beginLife();
    expect(journal.undoable(2)).toBe(false);
    journal.record([event(1, 'client:a')], 0, isPerson);
    expect(shown(journal)).toEqual([
      [1, 2, false, false],
      [2, 1, true, false],
    ]);
    expect(journal.undoable(1)).toBe(true);
  });
});
