/**
 * Definitions by code that runs outside evaluations, or during another actor's evaluation. They never count as the person's definitions.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import { unreviewedDefinitions } from './views.ts';

let test: TestSession;

beforeAll(async () => {
  test = await openTestSession();
  await test.say(
    '(defvar *thread* nil) (defvar *go* (sb-thread:make-semaphore)) (defvar *done* (sb-thread:make-semaphore))',
  );
});

afterAll(() => test.close());

/** Code that creates two definitions: NAME with DEFUN, and *NAME* with an assignment that only a sweep finds. */
const DEFINING =
  '(progn (defun NAME () (delete-file "/nowhere")) (set \'*NAME* (lambda () (delete-file "/nowhere"))) (sb-thread:signal-semaphore *done*))';
const WAIT = '(sb-thread:wait-on-semaphore *done* :timeout 20)';

/**
 * Hooks of the garbage collector run either in the finalizer thread, which belongs to no evaluation, or in the thread that triggered the
 * collection.
 */
const SOME_AGENT = expect.stringMatching(/^client:(tester|unknown)$/) as string;

/**
 * Ways to define something outside the agent's evaluation: a description, the name, the form that the agent evaluates, the form that the
 * person evaluates next, and the expected author.
 */
const WAYS: [what: string, name: string, agents: string, persons: string, author: string][] = [
  [
    'a finalizer',
    'by-finalizer',
    '(progn (sb-ext:finalize (list 1) (lambda () DEFINE) :dont-save t) nil)',
    `(loop repeat 200 do (sb-ext:gc :full t) until (sb-thread:wait-on-semaphore *done* :timeout 0.1))`,
    AGENT.id,
  ],
  [
    'what the collector calls',
    'by-gc-hook',
    '(push (lambda () (unless (fboundp (quote by-gc-hook)) DEFINE)) sb-ext:*after-gc-hooks*)',
    `(progn (sb-ext:gc) ${WAIT})`,
    SOME_AGENT,
  ],
  [
    'a timer in a thread of its own',
    'by-timer',
    '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () DEFINE) :thread t) 0.01)',
    WAIT,
    AGENT.id,
  ],
  [
    'a timer in any thread',
    'by-any-timer',
    '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () DEFINE)) 0.01)',
    WAIT,
    AGENT.id,
  ],
  [
    'a thread that outlives its evaluation',
    'by-thread',
    '(sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) DEFINE))',
    `(progn (sb-thread:signal-semaphore *go*) ${WAIT})`,
    AGENT.id,
  ],
  [
    "an interruption of the person's evaluation",
    'by-interruption',
    '(sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) (sb-thread:interrupt-thread *thread* (lambda () DEFINE))))',
    `(progn (setf *thread* sb-thread:*current-thread*) (sb-thread:signal-semaphore *go*) ${WAIT})`,
    AGENT.id,
  ],
  [
    "a timer in the thread of the person's evaluation",
    'by-timer-there',
    '(sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) (sb-ext:schedule-timer (sb-ext:make-timer (lambda () DEFINE) :thread *thread*) 0.01)))',
    `(progn (setf *thread* sb-thread:*current-thread*) (sb-thread:signal-semaphore *go*) ${WAIT})`,
    AGENT.id,
  ],
  [
    'a handler of a descriptor',
    'by-handler',
    `(multiple-value-bind (in out) (sb-posix:pipe)
       (let (handler)
         (setf handler (sb-sys:add-fd-handler in :input (lambda (fd) fd (sb-sys:remove-fd-handler handler) DEFINE))))
       (sb-posix:write out (sb-sys:vector-sap (make-array 1 :element-type '(unsigned-byte 8))) 1))`,
    `(progn (loop repeat 100 until (fboundp 'by-handler) do (sb-sys:serve-event 0.1)) ${WAIT})`,
    AGENT.id,
  ],
];

const listed = () => unreviewedDefinitions(test.session.definitions).entries;

describe('what is defined outside of evaluations', () => {
  it.each(WAYS)(
    "A definition by %s waits for a look with its author, never as the person's [issue 34.1]",
    async (_what, name, agents, persons, author) => {
      const defining = DEFINING.replaceAll('NAME', name);
      expect(await test.say(`${agents.replace('DEFINE', defining)} 1`, { actor: AGENT })).toMatch(/1$/);
      await test.say(persons);
      const shown = () =>
        listed()
          .filter((entry) => [name.toUpperCase(), `*${name.toUpperCase()}*`].includes(entry.name))
          .toSorted((one, other) => one.kind.localeCompare(other.kind))
          .map((entry) => [entry.kind, entry.author ?? entry.actor]);
      await expect.poll(shown, { timeout: 20_000 }).toEqual([
        ['function', author],
        ['variable', SOME_AGENT],
      ]);
    },
  );

  it("The person's own threads and timers define what needs no look [issue 34.1]", async () => {
    const defining = DEFINING.replaceAll('NAME', 'by-me');
    await test.say(`(sb-thread:make-thread (lambda () ${defining}))`);
    await test.say(WAIT);
    await expect.poll(() => test.session.definitions.entries().some(({ name }) => name === 'BY-ME')).toBe(true);
    expect(listed().filter(({ name }) => name.includes('BY-ME'))).toEqual([]);
  });
});
