import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

beforeEach(async () => {
  test = await openTestSession();
});

afterEach(() => test.close());

async function undo(of: string, dry = false) {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const { result } = await test.session.undoDefinitions(who, { events: null, of, dry });
  return result!.undone.map(({ name, label, done }) => [name, label, done]);
}

describe('undo', () => {
  it("An undo of all that an agent's evaluation defined, told beforehand, restores what was there [P3]", async () => {
    await test.say('(defun f () :mine) (defvar *v* 1)');
    await test.say('(defun f () :agents) (defun g () 2) (setf *v* 5) (defvar *w* 3)', {
      actor: AGENT,
      evaluation: 'agents',
    });
    expect(await undo('agents', true)).toEqual([
      ['*W*', 'exact', false],
      ['G', 'exact', false],
      ['F', 'exact', false],
    ]);
    expect(await test.say('(f)')).toBe(':AGENTS');
    await undo('agents');
    expect(await test.say("(list (f) (fboundp 'g) (boundp '*w*))")).toBe('(:MINE NIL NIL)');
  });

  it('An undo is true for a replay as well: what was undone does not come back [P3, P4]', async () => {
    await test.say('(defun f () :first)');
    await test.say('(defun f () :second) (defun g () :g)', { evaluation: 'second' });
    await undo('second');
    await test.session.restart();
    await test.session.replay();
    expect(await test.say("(list (f) (fboundp 'g))")).toBe('(:FIRST NIL)');
  });

  it('An undo is kept with who did what over the lives of the image [P1, P3]', async () => {
    await test.say('(defun f () 1)');
    await test.say('(defun g () 2)', { actor: AGENT });
    const names = () => test.session.definitions.entries().map(({ name, actor, seen }) => [name, actor, seen]);
    await expect.poll(names).toEqual([
      ['G', AGENT.id, false],
      ['F', 'person', true],
    ]);
    const [g] = test.session.definitions.entries();
    test.session.definitions.review([g!], true);
    await test.session.restart();
    await test.say('(defun h () 3)');
    await expect.poll(names).toEqual([
      ['H', 'person', true],
      ['G', AGENT.id, true],
      ['F', 'person', true],
    ]);
    expect(test.session.definitions.undoable(g!.id)).toBe(false);
  });
});
