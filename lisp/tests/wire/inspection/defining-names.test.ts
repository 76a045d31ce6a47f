import { expect, it } from 'vitest';
import { inspectedImage } from './inspected.fixture.ts';

const { lisp, inspected } = await inspectedImage();

it.each<[string, string | null, boolean]>([
  ["#'plain", 'INSPECTED::PLAIN', true],
  ["#'area", 'INSPECTED::AREA', true],
  [
    "(find-method #'area '(:around) (list (find-class 'base)))",
    '(METHOD INSPECTED::AREA :AROUND (INSPECTED::BASE))',
    true,
  ],
  ["(find-class 'base)", 'INSPECTED::BASE', false],
  ['(make-point)', 'INSPECTED::POINT', false],
  ["(make-instance 'broken)", 'INSPECTED::BROKEN', false],
  ["(make-condition 'trouble)", 'INSPECTED::TROUBLE', false],
  ["'*settings*", 'INSPECTED::*SETTINGS*', false],
  ['(find-package :inspected)', 'INSPECTED', false],
  ['(counter)', 'INSPECTED::COUNTER', true],
  ["(macro-function 'when)", 'WHEN', false],
  ["(compile nil '(lambda (x) x))", null, true],
  ['nil', null, false],
])('The definition of %s is found by %s [D7]', async (code, name, isFunction) => {
  const { handle } = await inspected(code);
  await expect(lisp.ask('defining-name', { handle })).resolves.toEqual({
    expired: false,
    name,
    isFunction,
  });
});

it('An object that is not held any more has no name [D7]', async () => {
  await expect(lisp.ask('defining-name', { handle: 1_000_000 })).resolves.toMatchObject({
    expired: true,
    name: null,
  });
});
