/** Functions that agents add to an image's hooks before the image is saved. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;
let asked: Effect<'waiting'>[];

beforeEach(async () => {
  asked = [];
  test = await openTestSession({ checkpoints: true, effects: 'ask' });
  test.session.events.on('effect-requested', (effect) => {
    asked.push(effect);
    void test.session.decideEffect(effect.effect, { decision: 'deny', path: null, reason: null });
  });
});

afterEach(() => test.close());

const at = (name: string): string => path.join(test.directory, name);
const agent = async (code: string): Promise<void> => {
  const said = await test.say(code.replaceAll('@', test.directory), { actor: AGENT });
  expect(said).not.toMatch(/:.*(DENIED|ERROR)/);
};
const making = (name: string): string => `(open "@/${name}" :direction :probe :if-does-not-exist :create)`;

/**
 * The ways in which an agent's code can be called later: entries in the hook lists of SBCL and UIOP, each a function, a name, or a closure
 * of a library function.
 */
const AGENTS_HOOKS = `
  (defun by-name () ${making('by-name')})
  (push 'by-name sb-ext:*init-hooks*)
  (push (lambda () ${making('by-function')}) sb-ext:*init-hooks*)
  (push (lambda () ${making('at-restore')}) uiop:*image-restore-hook*)
  (uiop:register-image-dump-hook (lambda () ${making('at-dump')}))
  (push (lambda () ${making('at-save')}) sb-ext:*save-hooks*)
  (setf (cdr (last sb-ext:*init-hooks*)) (list (let ((name "@/of-others")) (uiop:ensure-function (list 'ensure-directories-exist (concatenate 'string name "/"))))))`;

const made = () =>
  ['by-name', 'by-function', 'at-restore', 'at-dump', 'at-save', 'of-others'].filter((name) => existsSync(at(name)));

describe('hooks of agents', () => {
  it('An image that is saved and opened asks about what agents’ hooks do, and none of them runs unasked [issue 34.2]', async () => {
    await agent(AGENTS_HOOKS);
    await test.session.saveWorld('hooked');
    await test.session.openWorld('hooked');
    await expect.poll(() => asked.length).toBe(4);
    expect(made()).toEqual([]);
    expect(asked.map(({ actor, definedBy }) => [actor, definedBy?.actor])).toEqual(
      Array.from({ length: 4 }, () => ['person', 'client:tester']),
    );
    expect((await test.session.agentsHooks()).due).toBe(0);
  });

  it('An image that is saved and opened calls the person’s hooks as ever [issue 34.2]', async () => {
    await test.say(
      `(progn (defvar *called* '()) (push (lambda () (push :start *called*)) sb-ext:*init-hooks*)
              (push (lambda () (push :save *called*)) sb-ext:*save-hooks*)
              (uiop:register-image-restore-hook (lambda () (push :restore *called*)) nil)
              (uiop:register-image-dump-hook (lambda () (push :dump *called*))))`,
    );
    await test.session.saveWorld('own');
    await test.session.openWorld('own');
    expect(await test.say('(reverse *called*)')).toBe('(:DUMP :SAVE :START :RESTORE)');
    expect(asked).toEqual([]);
    expect(await test.session.agentsHooks()).toEqual({ due: 0, hooks: [] });
  });

  it('An executable has the hooks of agents that the person keeps, and no other [issue 34.2]', async () => {
    await test.say('(defun main () (write-line "main"))');
    await agent(AGENTS_HOOKS);
    const { hooks } = await test.session.agentsHooks();
    expect(hooks.map(({ variable, occasion, actor, reviewed }) => [variable, occasion, actor, reviewed])).toEqual([
      ['*INIT-HOOKS*', 'start', 'client:tester', false],
      ['*INIT-HOOKS*', 'start', 'client:tester', false],
      ['*INIT-HOOKS*', 'start', 'client:tester', false],
      ['*IMAGE-RESTORE-HOOK*', 'start', 'client:tester', false],
      ['*SAVE-HOOKS*', 'save', 'client:tester', false],
      ['*IMAGE-DUMP-HOOK*', 'save', 'client:tester', false],
    ]);
    const program = at('program');
    const save = (kept: number[]) =>
      test.session.saveExecutable({ file: program, function: 'main', package: 'CL-USER', hooks: kept });
    await save([]);
    expect((await promisify(execFile)(program)).stdout).toBe('main\n');
    expect(made()).toEqual([]);
    await save(hooks.filter(({ text }) => text === 'BY-NAME').map(({ id }) => id));
    expect((await promisify(execFile)(program)).stdout).toBe('main\n');
    expect(made()).toEqual(['by-name']);
  });

  it('A hook of an agent that was reviewed is told as reviewed, and is called as the person’s [issue 34.2]', async () => {
    await agent(`(defun by-name () ${making('by-name')}) (push 'by-name sb-ext:*init-hooks*)`);
    const event = () => test.session.definitions.entries().find(({ name }) => name === 'BY-NAME');
    await expect.poll(event).toBeTruthy();
    test.session.definitions.review([event()!], true);
    expect((await test.session.agentsHooks()).hooks).toMatchObject([{ text: 'BY-NAME', reviewed: true }]);
    await test.session.saveWorld('reviewed');
    await test.session.openWorld('reviewed');
    expect(made()).toEqual(['by-name']);
    expect(asked).toEqual([]);
  });
});
