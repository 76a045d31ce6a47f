import { expect, test } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { JournalEntry } from '../checkpoints/journal.ts';
import { LostWork } from './lost-work.ts';

const CLIENT: Actor = { id: 'client:tester', kind: 'client', name: 'tester' };

const entry = (operator: string, name: string, actor: Actor = PERSON): JournalEntry => ({
  actor,
  operator,
  name,
  package: 'COMMON-LISP-USER',
  text: `(${operator} ${name})`,
  source: null,
});

test('What says where definitions belong is lost with them, and not told as a definition [B22]', () => {
  const work = new LostWork();
  const entries = [entry('IN-PACKAGE', ':SHOP'), entry('DEFUN', 'TOTAL'), entry('IN-SUITE', 'ALL', CLIENT)];
  work.remember('It was ended.', { entries, systems: [] });
  expect(work.view?.definitions).toEqual([{ actor: 'person', operator: 'DEFUN', name: 'TOTAL' }]);
  expect(work.take().entries).toEqual(entries);
  const many = Array.from({ length: 150 }, (_none, index) => [
    entry('IN-PACKAGE', ':SHOP'),
    entry('DEFUN', `F${index}`),
  ]);
  work.remember('It was ended.', { entries: many.flat(), systems: [] });
  expect(work.view).toMatchObject({ more: { own: 50, others: 0 } });
});
