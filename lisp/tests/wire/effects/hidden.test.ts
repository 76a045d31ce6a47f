/** Effects that are not visible in the evaluated code: in other code, threads, timers, interruptions, and code that the engine runs. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decide, decideAll } from '../effects.fixture.ts';
import { openInFolder, type ImageInFolder } from './folder.fixture.ts';

let image: ImageInFolder['image'];
let at: ImageInFolder['at'];
let deleting: ImageInFolder['deleting'];
let close: ImageInFolder['close'];

beforeEach(async () => {
  ({ image, at, deleting, close } = await openInFolder());
});

afterEach(() => close());

describe('hidden effects', () => {
  const everywhere: [string, () => string][] = [
    ['a computed name', () => `(funcall (intern "DELETE-FILE" :cl) "${at('file')}")`],
    ['a function object', () => `(mapc #'delete-file '("${at('file')}"))`],
    ['the reader', () => `'#.${deleting('file')}`],
    ['a macro', () => `(macrolet ((m () ${deleting('file')})) (m))`],
    ['compiled code', () => `(funcall (compile nil '(lambda () ${deleting('file')})))`],
    ['a handler of an error', () => `(handler-bind ((error (lambda (c) c ${deleting('file')}))) (error "x"))`],
    ['a function of the person', () => `(persons "${at('file')}")`],
    ['a thread', () => `(sb-thread:join-thread (sb-thread:make-thread (lambda () ${deleting('file')})))`],
    [
      'a thread of a thread',
      () =>
        `(sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:join-thread (sb-thread:make-thread (lambda () ${deleting('file')}))))))`,
    ],
    [
      'a timer',
      () =>
        `(progn (sb-ext:schedule-timer (sb-ext:make-timer (lambda () ${deleting('file')}) :thread t) 0.01) (sleep 0.2))`,
    ],
  ];

  for (const [where, code] of everywhere) {
    it(`An effect is asked for: ${where} [G1]`, async () => {
      await image.evaluate('(defun persons (file) (delete-file file))');
      const asked = decideAll(image, 'deny');
      await image.evaluate(code(), AGENT);
      expect(asked.map(({ target }) => target)).toContain(at('file'));
      expect(existsSync(at('file'))).toBe(true);
    });
  }

  it('An effect is asked for in a handler that runs within an effect which may proceed [G1]', async () => {
    const reply = image.evaluate(
      `(handler-bind ((error (lambda (c) c ${deleting('file')}))) ${deleting('none')})`,
      AGENT,
    );
    await decide(image, (await image.next('effect-requested')).effect, 'proceed');
    const { effect } = await image.next('effect-requested');
    expect(effect.target).toBe(at('file'));
    decideAll(image, 'deny'); // the denial's error is signalled within the handler, where no other handler is active
    await decide(image, effect, 'deny');
    expect((await reply).status).toBe('error');
    expect(existsSync(at('file'))).toBe(true);
  });

  it('A thread waits for its own decision, and its evaluation goes on [G1]', async () => {
    const code = `(progn (sb-thread:make-thread (lambda () ${deleting('file')}) :name "theirs") 1)`;
    expect(await image.value(code, AGENT)).toBe('1');
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({ thread: 'theirs', ownThread: false, actor: 'client:tester' });
    expect(await image.value('2', AGENT)).toBe('2');
    await decide(image, effect, 'abort');
    expect(await image.next('effect-settled')).toMatchObject({ outcome: 'aborted' });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('An effect that an agent sends into a thread of the person is denied at once [G1]', async () => {
    await image.evaluate('(defvar *theirs* (sb-thread:make-thread (lambda () (loop (sleep 0.01)))))');
    const code = `(progn (sb-thread:interrupt-thread *theirs* (lambda () (handler-case ${deleting('file')} (error ())))) 1)`;
    expect(await image.value(code, AGENT)).toBe('1');
    expect(await image.next('effect-recorded')).toMatchObject({ operator: 'DELETE-FILE', outcome: 'denied' });
    expect(existsSync(at('file'))).toBe(true);
    await image.value('(sb-thread:terminate-thread *theirs*)');
  });

  it('An effect of a timer that interrupts a thread is denied at once: nobody could interrupt it there [G1]', async () => {
    const asked = decideAll(image, 'proceed');
    const code = `(let ((said nil))
      (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (handler-case ${deleting('file')} (error (c) (setf said (princ-to-string c)))))) 0.001)
      (loop until said do (sleep 0.001))
      said)`;
    expect(await image.value(code, AGENT)).toContain('This code runs where no approval can be requested.');
    expect([asked, existsSync(at('file'))]).toEqual([[], true]);
  });

  it('Effects of print methods and expansions are denied at once, whoever looks [case 33]', async () => {
    await image.evaluate(
      `(progn (defclass trap () ())
              (defmethod print-object ((trap trap) stream) ${deleting('file')} (write-string "sprung" stream))
              (defmethod describe-object ((trap trap) stream) ${deleting('file')} (write-string "sprung" stream))
              (defparameter *trap* (make-instance 'trap))
              (defmacro trap () ${deleting('file')} 1))`,
      AGENT,
    );
    const asked = decideAll(image, 'proceed');
    expect(await image.value('*trap*')).toMatch(/^#<error FILE-EFFECT-DENIED printing TRAP: .*DELETE-FILE/);
    expect(await image.value('*trap*', AGENT)).toMatch(/^#<error FILE-EFFECT-DENIED printing TRAP: .*DELETE-FILE/);
    expect((await image.evaluate('(error "~A" *trap*)', AGENT)).condition?.message).not.toContain('sprung');
    const form = { form: '(trap)', package: null, context: 'test', mode: 'once', path: null } as const;
    await expect(image.ask('macroexpand', form)).rejects.toThrow('Denied: DELETE-FILE');
    expect(asked).toEqual([]);
    expect(existsSync(at('file'))).toBe(true);
    expect(image.events.some(({ event }) => event === 'effect-recorded')).toBe(true);
  });
});
