import { expect, test } from 'vitest';
import { fittingColumns } from './fitting.ts';

const NAME = { id: 'name', least: 140, rank: 0 };
const STATE = { id: 'state', least: 60, rank: 1 };
const CODE = { id: 'code', least: 100, rank: 2 };
const SHARE = { id: 'share', least: 60, rank: 3 };
const ALL = [NAME, STATE, CODE, SHARE];

const shownIn = (width: number, columns = ALL) => fittingColumns(columns, width).map(({ id }) => id);

test.each([
  [396, ['name', 'state', 'code', 'share']],
  [395, ['name', 'state', 'code']],
  [323, ['name', 'state']],
  [211, ['name']],
  [20, ['name']],
])(
  'A table that is %i pixels wide hides the least important columns first and never the name [issue 36.2]',
  (width, shown) => expect(shownIn(width)).toEqual(shown),
);

test('Columns keep their order, and of two that are equally important the later one is hidden first [issue 36.2]', () => {
  const kind = { id: 'kind', least: 60, rank: 3 };
  expect(shownIn(395, [NAME, SHARE, CODE, STATE])).toEqual(['name', 'code', 'state']);
  expect(shownIn(300, [NAME, SHARE, STATE, kind])).toEqual(['name', 'share', 'state']);
});
