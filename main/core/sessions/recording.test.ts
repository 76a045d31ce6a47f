import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;
beforeAll(async () => {
  test = await openTestSession();
}, 120_000);
afterAll(() => test.close());

const TEXT = '(defun recorded-area (x) (list :area (* x x)))';
const FORM = '(* x x)';

it('A definition with marks is recorded, and comes back without them in an image that is started anew [issue 12.11]', async () => {
  const { session } = test;
  const told: unknown[] = [];
  session.events.on('values-recorded', (counts) => told.push(counts));
  session.events.on('recordings-ended', (ended) => told.push(ended));
  const form = randomUUID();
  const start = TEXT.indexOf(FORM);
  const { reply } = await session.compileText({
    evaluation: randomUUID(),
    actor: PERSON,
    context: PERSON.id,
    text: TEXT,
    package: 'COMMON-LISP-USER',
    source: { file: 'area.lisp', offset: 0, line: 1 },
    title: 'compile area',
    marks: [{ form, start, end: start + FORM.length }],
  });
  expect(reply.result).toMatchObject({ loaded: true, refused: [] });
  expect(await test.say('(recorded-area 3)')).toBe('(:AREA 9)');
  await expect(session.lookUp('recordings', { package: null })).resolves.toMatchObject({
    forms: [{ form, count: 1, latest: { kind: 'values', values: ['9'], actor: PERSON.id } }],
  });
  expect(told).toEqual([{ forms: [{ form, count: 1 }] }]);
  await session.restart();
  await session.replay();
  expect(await test.say('(recorded-area 4)')).toBe('(:AREA 16)');
  await expect(session.lookUp('recordings', { package: null })).resolves.toEqual({ forms: [] });
});
