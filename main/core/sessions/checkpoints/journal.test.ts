import { describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { EvaluatedForm } from '#core/lisp/messages.ts';
import { Journal } from './journal.ts';
import { LostWork } from '../supervisor/lost-work.ts';

const AGENT: Actor = { id: 'client:a', kind: 'client', name: 'a' };

/** Adds an evaluation that defines functions with these names, each with a separate form. */
function defining(journal: Journal, names: readonly string[], actor: Actor = PERSON, operator = 'DEFUN'): void {
  let code = '';
  const forms = names.map((name): EvaluatedForm => {
    const start = code.length;
    code += `(${operator} ${name})`;
    return { defines: operator, name, package: 'P', start, end: code.length };
  });
  journal.record(actor, code, forms, null);
}

describe('what the living image was told', () => {
  it('The journal has a later definition in the place of the earlier one, and all methods and declarations in their order [P4]', () => {
    const journal = new Journal();
    defining(journal, ['A', 'B']);
    defining(journal, ['M', 'M'], PERSON, 'DEFMETHOD');
    defining(journal, ['A'], AGENT);
    expect(journal.entries.map(({ name, actor }) => [name, actor.id])).toEqual([
      ['A', 'client:a'],
      ['B', 'person'],
      ['M', 'person'],
      ['M', 'person'],
    ]);
    const before = journal.state();
    defining(journal, ['C']);
    expect(journal.since(before).entries.map(({ name }) => name)).toEqual(['C']);
    journal.restore(before);
    expect(journal.entries).toEqual(before.entries);
  });

  it('The journal takes in a hundred thousand definitions, and each of them once more [P4]', () => {
    const journal = new Journal();
    const names = Array.from({ length: 100_000 }, (_, n) => `F${n}`);
    defining(journal, names, AGENT);
    defining(journal, names);
    expect([journal.entries.length, journal.entries.at(-1)!.actor.id]).toEqual([100_000, 'person']);
  });

  it('The journal names a hundred of the definitions that an image took with it, and counts the rest by who made it [P4]', () => {
    const journal = new Journal();
    defining(
      journal,
      Array.from({ length: 1000 }, (_, n) => `F${n}`),
      AGENT,
    );
    defining(
      journal,
      Array.from({ length: 50 }, (_, n) => `G${n}`),
    );
    const lostWork = new LostWork();
    lostWork.remember('It ended.', journal.state());
    expect([lostWork.view!.definitions.length, lostWork.view!.more]).toEqual([100, { own: 50, others: 900 }]);
    expect(lostWork.take().entries).toHaveLength(1050);
  });

  it('What is evaluated or loaded again is no loss any more, and a loss that is made good is told no longer [P4]', () => {
    const lostWork = new LostWork();
    const journal = new Journal((again, actor) => lostWork.regain(again, actor));
    defining(journal, ['A', 'B']);
    defining(journal, ['HERE'], PERSON, 'IN-PACKAGE');
    defining(journal, ['M'], PERSON, 'DEFMETHOD');
    journal.recordSystem({ name: 'shop', actor: PERSON, denied: [] });
    lostWork.remember('It ended.', journal.state());
    const { at } = lostWork.view!;
    journal.clear();

    defining(journal, ['B', 'C'], AGENT);
    expect(lostWork.view).toMatchObject({ at, reason: 'It ended.', systems: ['shop'] });
    expect(lostWork.view!.definitions.map(({ name }) => name)).toEqual(['A', 'M']);
    journal.recordSystem({ name: 'shop', actor: PERSON, denied: [] });
    defining(journal, ['A']);
    expect(lostWork.view!.definitions.map(({ name }) => name)).toEqual(['M']);
    defining(journal, ['M'], PERSON, 'DEFMETHOD');
    expect(lostWork.view).toBeNull();
    expect(lostWork.take().entries).toEqual([]);
  });

  it('That an image ended and took nothing with it is told until the person goes on', () => {
    const lostWork = new LostWork();
    const journal = new Journal((again, actor) => lostWork.regain(again, actor));
    lostWork.remember('It ended.', journal.state());
    defining(journal, [], AGENT);
    expect(lostWork.view).toMatchObject({ definitions: [] });
    defining(journal, []);
    expect(lostWork.view).toBeNull();
  });
});
