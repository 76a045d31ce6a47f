import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { differenceOf } from './difference.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

afterEach(() => test.close());

async function latest(name: string): Promise<number> {
  const found = () => test.session.definitions.entries().find((entry) => entry.name === name)?.id;
  await expect.poll(found).toBeDefined();
  return found()!;
}

it('The difference of an event shows a definition before and after it: new, redefined, removed [P1, D8]', async () => {
  test = await openTestSession();
  await test.say('(defun area (r) (* r r))');
  const first = await latest('AREA');
  await test.say('(defun area (r) (* 3 r r))', { actor: AGENT });
  await expect.poll(async () => (await latest('AREA')) > first).toBe(true);
  const second = await latest('AREA');
  await test.say("(fmakunbound 'area)", { actor: AGENT });
  await expect.poll(async () => (await latest('AREA')) > second).toBe(true);
  const third = await latest('AREA');
  expect(await differenceOf(test.session, first)).toMatchObject({
    before: null,
    after: '(defun area (r) (* r r))',
    why: null,
  });
  const changed = await differenceOf(test.session, second);
  expect(changed).toMatchObject({ before: '(defun area (r) (* r r))', after: '(defun area (r) (* 3 r r))', why: null });
  expect(changed.hunks[0]!.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'removed (defun area (r) (* r r))',
    'added (defun area (r) (* 3 r r))',
  ]);
  expect(await differenceOf(test.session, third)).toMatchObject({
    before: '(defun area (r) (* 3 r r))',
    after: null,
    why: null,
  });
  await expect(differenceOf(test.session, 9_999)).rejects.toThrow('The image of this change no longer exists.');
});

it('The difference of an event takes what was loaded from a file as that file has it [P1, D8]', async () => {
  test = await openTestSession();
  const folder = await mkdtemp(path.join(tmpdir(), 'difference-'));
  const file = path.join(folder, 'shop.lisp');
  try {
    await writeFile(file, '(in-package :cl-user)\n\n(defun total () 1)\n');
    await test.say(`(load ${JSON.stringify(file)})`);
    await test.say('(defun total () 2)', { actor: AGENT });
    await expect.poll(() => test.session.definitions.entries({ actor: AGENT.id }).length).toBe(1);
    expect(
      await differenceOf(test.session, test.session.definitions.entries({ actor: AGENT.id })[0]!.id),
    ).toMatchObject({
      before: '(defun total () 1)',
      after: '(defun total () 2)',
      why: 'The previous text is the current text of its file.',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
