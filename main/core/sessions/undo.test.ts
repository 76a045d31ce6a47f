import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

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

describe('P3 undo', () => {
  it('of all that an evaluation of an agent defined, told beforehand, restores what was there', async () => {
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

  it('P4 is true for a replay as well: what was undone does not come back', async () => {
    await test.say('(defun f () :first)');
    await test.say('(defun f () :second) (defun g () :g)', { evaluation: 'second' });
    await undo('second');
    await test.session.restart();
    await test.session.replay();
    expect(await test.say("(list (f) (fboundp 'g))")).toBe('(:FIRST NIL)');
  });

  it('P1 is kept with who did what over the lives of the image', async () => {
    await test.say('(defun f () 1)');
    await test.say('(defun g () 2)', { actor: AGENT });
    const names = () => test.session.definitions.entries().map(({ name, actor, reviewed }) => [name, actor, reviewed]);
    await expect.poll(names).toEqual([
      ['G', AGENT.id, false],
      ['F', 'person', true],
    ]);
    const [g] = test.session.definitions.entries();
    test.session.definitions.review([g!.id], true);
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
