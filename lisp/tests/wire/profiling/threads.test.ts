/** Listing, examining and ending threads. */
import { describe, expect, it } from 'vitest';
import { runningImage } from './running.fixture.ts';

const lisp = await runningImage();

describe('threads', () => {
  it('Threads are listed, looked into, and ended unless they are ours [D11]', async () => {
    await lisp.value(
      `(defvar running::*ready* (sb-thread:make-semaphore)) (defvar running::*never* (sb-thread:make-semaphore))
       (defun running::wait-for-ever (x) (list x (sb-thread:wait-on-semaphore running::*never*)))
       (defvar running::*waiting* (sb-thread:make-thread (lambda () (sb-thread:signal-semaphore running::*ready*) (running::wait-for-ever 42)) :name "waiting"))
       (sb-thread:wait-on-semaphore running::*ready*)`,
      { evaluation: 'starter' },
    );
    const { threads } = await lisp.ask('threads', {});
    const waiting = threads.find(({ name }) => name === 'waiting')!;
    expect(waiting).toEqual({
      id: expect.any(Number),
      name: 'waiting',
      alive: true,
      state: expect.any(String),
      main: false,
      ours: false,
      evaluation: 'starter',
      cpuMs: expect.any(Number),
    });
    const main = threads.find((thread) => thread.main)!;
    expect([main.ours, main.name]).toEqual([true, 'main thread']);

    const thread = waiting.id ?? 0;
    const { frames, ...rest } = await lisp.ask('thread-backtrace', { thread, limit: 50 });
    expect(frames.map(({ call }) => call)).toEqual(
      expect.arrayContaining([expect.stringMatching(/WAIT-FOR-EVER 42\)$/)]),
    );
    expect(rest).toEqual({ found: true, answered: true, more: 0 });
    expect(JSON.stringify(frames)).not.toMatch(/lisp-workbench/i);
    const all = frames.length;
    const cut = await lisp.ask('thread-backtrace', { thread, limit: 1 });
    expect([cut.frames.length, cut.more]).toEqual([1, all - 1]);

    await expect(lisp.ask('end-thread', { thread: main.id ?? 0 })).resolves.toMatchObject({
      found: true,
      refused: expect.stringContaining('belongs to'),
    });
    await expect(lisp.ask('end-thread', { thread })).resolves.toEqual({ found: true, refused: null });
    await lisp.value('(sb-thread:join-thread running::*waiting* :default nil)');
    await expect(lisp.ask('end-thread', { thread })).resolves.toEqual({ found: false, refused: null });
    await expect(lisp.ask('thread-backtrace', { thread, limit: 9 })).resolves.toEqual({
      found: false,
      answered: false,
      frames: [],
      more: 0,
    });
  });

  it('Threads of the engine answer too, and go on [D11]', async () => {
    const { threads } = await lisp.ask('threads', {});
    for (const { id } of threads.filter(({ name }) => name !== 'finalizer'))
      await expect(lisp.ask('thread-backtrace', { thread: id ?? 0, limit: 100 })).resolves.toMatchObject({
        answered: true,
      });
    await expect(lisp.value('(progn (write-line "still here") 1)')).resolves.toBe('1');
  });

  it('Threads that do not answer are given up [D11]', async () => {
    await lisp.value(
      `(defvar running::*go-on* t)
       (defvar running::*stubborn* (sb-thread:make-thread (lambda () (sb-sys:without-interrupts (sb-thread:signal-semaphore running::*ready*) (loop while running::*go-on*))) :name "stubborn"))
       (sb-thread:wait-on-semaphore running::*ready*)`,
    );
    const { threads } = await lisp.ask('threads', {});
    const { id, state } = threads.find(({ name }) => name === 'stubborn')!;
    expect(state).toBe('running');
    await expect(lisp.ask('thread-backtrace', { thread: id ?? 0, limit: 9 })).resolves.toMatchObject({
      found: true,
      answered: false,
    });
    await lisp.value('(setf running::*go-on* nil) (sb-thread:join-thread running::*stubborn* :default nil)');
  });
});
