import { expect, it } from 'vitest';
import type { DefinitionEvent } from '#contract/image/definition.ts';
import { ApprovedReviews } from './approved-reviews.ts';
import { DefinitionJournal } from './definition-journal.ts';

const event = (id: number, actor: string): DefinitionEvent => ({
  id,
  kind: 'function',
  name: `F${id}`,
  package: 'SHOP',
  operation: 'defined',
  actor,
  author: null,
  code: 'c',
  evaluation: 'e1',
  time: 0,
  source: null,
  hasText: true,
  undoes: null,
});

it('Undoing an approved edit removes only the marks that its approval made', () => {
  const journal = new DefinitionJournal();
  const reviews = new ApprovedReviews(() => journal);
  const events = [event(1, 'person'), event(2, 'client:a'), event(3, 'client:a'), event(4, 'client:a')];
  journal.record(events, 0, ({ actor }) => actor === 'person');
  journal.review([{ life: 1, id: 2 }], true);
  const reviewed = (): number[] =>
    journal
      .entries({ reviewed: true })
      .map(({ id }) => id)
      .toReversed();
  reviews.mark(
    'approval',
    [1, 2, 3].map((id) => ({ life: 1, id })),
  );
  expect(reviewed()).toEqual([2, 3]);
  reviews.takeBack('another approval');
  expect(reviewed()).toEqual([2, 3]);
  reviews.takeBack('approval');
  expect(reviewed()).toEqual([2]);
});

it('Marks of an earlier image are not given to the events of the next one', () => {
  const journal = new DefinitionJournal();
  const reviews = new ApprovedReviews(() => journal);
  journal.record([event(1, 'client:a')], 0, () => false);
  journal.beginLife();
  journal.record([event(1, 'client:a')], 0, () => false);
  reviews.mark('approval', [{ life: 1, id: 1 }]);
  expect(journal.entries({ reviewed: true })).toEqual([]);
});
