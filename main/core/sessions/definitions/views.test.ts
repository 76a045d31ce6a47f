import { afterEach, describe, expect, it } from 'vitest';
import { definitionsSince, undoAsPerson, unreviewedDefinitions } from './views.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

afterEach(() => test.close());

function unreviewed(): string[] {
  return unreviewedDefinitions(test.session.definitions).entries.map(({ name, operation }) => `${name} ${operation}`);
}

describe('what the window sees of the journal of definitions', () => {
  it('What agents did last to a name waits for a review, until the person does something to it [P2]', async () => {
    test = await openTestSession();
    await test.say('(defun mine () 1) (defun both () 1)');
    await test.say('(defun both () 2) (defun both () 3) (defun other () 4) (defvar *set* 1)', { actor: AGENT });
    await test.say("(fmakunbound 'mine)", { actor: AGENT });
    await expect.poll(unreviewed).toEqual(['MINE removed', '*SET* defined', 'OTHER defined', 'BOTH redefined']);
    const { entries } = unreviewedDefinitions(test.session.definitions);
    test.session.definitions.review([entries[2]!], true);
    await test.say('(defun both () :mine)');
    await expect.poll(unreviewed).toEqual(['MINE removed', '*SET* defined']);
  });

  it('The person undoes one event or a whole evaluation, told beforehand, and can undo that [P3]', async () => {
    test = await openTestSession();
    await test.say('(defun area (r) (* r r))');
    const { report } = await test.evaluate('(defun area (r) (* 3 r r)) (defun volume (r) (* r r r))', { actor: AGENT });
    await expect.poll(unreviewed).toEqual(['VOLUME defined', 'AREA redefined']);
    const dry = await undoAsPerson(test.session, { events: null, of: report.evaluation, dry: true });
    expect(dry.undone.map(({ name, label, done }) => [name, label, done])).toEqual([
      ['VOLUME', 'exact', false],
      ['AREA', 'exact', false],
    ]);
    expect(await test.say('(area 2)')).toBe('12');
    const { undone } = await undoAsPerson(test.session, { events: null, of: report.evaluation, dry: false });
    expect(await test.say("(list (area 2) (fboundp 'volume))")).toBe('(4 NIL)');
    await expect.poll(unreviewed).toEqual([]);
    await undoAsPerson(test.session, { events: undone.map(({ event }) => event!), of: null, dry: false });
    expect(await test.say('(list (area 2) (volume 2))')).toBe('(12 8)');
  });

  it('What was defined after a time is told, of the living image alone', async () => {
    test = await openTestSession();
    await test.say('(defun one () 1) (defun two () 2)');
    const after = (time: number) => definitionsSince(test.session.definitions, time).entries.map(({ name }) => name);
    await expect.poll(() => after(0)).toEqual(['TWO', 'ONE']);
    expect(after(definitionsSince(test.session.definitions, 0).entries[0]!.time)).toEqual([]);
    await test.session.restart();
    await test.say('1');
    expect(after(0)).toEqual([]);
  });
});
