import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { runs } from '#core/lisp/process.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

afterEach(() => test.close());

function labels(): string[] {
  return test.session.view().checkpoints.map(({ label }) => label);
}

describe('going back to checkpoints', () => {
  it("A checkpoint is made before each evaluation of an agent, and none before the person's", async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* 1)');
    await test.say('(setf *x* 2)', { actor: AGENT });
    await test.say('(setf *x* 3)', { actor: AGENT });
    expect(labels()).toEqual(["before tester's evaluation 1", "before tester's evaluation 2"]);
    expect(await test.say('*x*')).toBe('3');
  });

  it('Going back restores the image, the journal and the package, and can be undone itself', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defpackage :mine (:use :cl)) (in-package :mine) (defun f () :yours)');
    await test.say('(in-package :cl-user) (defun mine::f () :agents) (delete-package :mine)', { actor: AGENT });
    expect(await test.say('(find-package :mine)')).toBe('NIL');
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await test.say('(f)', { package: 'MINE' })).toBe(':YOURS');
    expect(test.session.view()).toMatchObject({ state: 'idle', package: 'MINE', lost: null });
    expect(labels()).toEqual(["before tester's evaluation 1", 'before going back to "before tester\'s evaluation 1"']);
    await test.session.rewind(test.session.view().checkpoints[1]!.id, PERSON);
    expect(await test.say('(find-package :mine)')).toBe('NIL');
    expect(test.changes.map(({ change }) => change)).toEqual(['started', 'checkpoint', 'rewound', 'rewound']);
  });

  it('A checkpoint that was asked for stays when evaluations make more than are kept [issue 35.1]', async () => {
    test = await openTestSession({ checkpoints: true, mostCheckpoints: 2 });
    await test.say('(defvar *x* :first)', { actor: AGENT });
    const asked = await test.session.checkpoint('mine', AGENT);
    for (let i = 0; i < 4; i += 1) await test.say(`(setf *x* ${i})`, { actor: AGENT });
    expect(labels()).toEqual(['mine', "before tester's evaluation 4", "before tester's evaluation 5"]);
    await test.session.rewind(asked.id, PERSON);
    expect(await test.say('*x*')).toBe(':FIRST');
  });

  it('A crash goes back to the last checkpoint by itself and offers what came after it [K6, P4]', async () => {
    test = await openTestSession({ checkpoints: true, idleMs: 20 });
    await test.say('(defun kept () :kept)');
    await test.say('(defvar *agents* :agents)', { actor: AGENT });
    await nextIsReady(1);
    await test.say('(defun after () (list (kept) :after))');
    expect(await test.say('(sb-posix:kill (sb-posix:getpid) 9)')).toMatch(
      /IMAGE-LOST: The image was ended by SIGKILL\. The image returns to its last checkpoint/,
    );
    expect(await test.say('(list (kept) (boundp (quote *agents*)) (fboundp (quote after)))')).toBe('(:KEPT T NIL)');
    expect(labels()).toEqual(["before tester's evaluation 1", "after tester's evaluation 1"]);
    expect(test.session.view().lost).toMatchObject({
      reason: 'The image was ended by SIGKILL.',
      definitions: [{ actor: 'person', name: 'AFTER' }],
    });
    expect(await test.session.replay()).toEqual({ replayed: 1, failed: [] });
    expect(await test.say('(after)')).toBe('(:KEPT :AFTER)');
  });

  it("The checkpoint before an agent's next evaluation is the copy that was made while it thought", async () => {
    test = await openTestSession({ checkpoints: true, idleMs: 20 });
    await test.say('(defvar *x* 1)', { actor: AGENT });
    const copies = await nextIsReady(1);
    expect(await test.say('(+ 1 2)', { actor: AGENT })).toBe('3');
    await test.say('(setf *x* 2)', { actor: AGENT });
    expect(labels()).toEqual(["before tester's evaluation 1", "before tester's evaluation 3"]);
    expect(await nextIsReady(2)).toEqual(expect.arrayContaining(copies));
    await test.session.rewind(test.session.view().checkpoints[1]!.id, PERSON);
    expect(await test.say('*x*')).toBe('1');
  });

  it.each([
    ['the person’s evaluation', () => test.say('(setf *x* :changed)')],
    ['a look at the image', () => test.session.lookUp('packages', {})],
    [
      'a trace',
      () => test.session.lookUp('trace', { context: 'tester', package: null, functions: ['f'], methods: false }),
    ],
  ])("A checkpoint includes %s before an agent's next evaluation", async (_what, change) => {
    test = await openTestSession({ checkpoints: true, idleMs: 20 });
    await test.say('(defvar *x* :as-it-was) (defun f () 1)', { actor: AGENT });
    await nextIsReady(1);
    await change();
    const state = async () => [await test.say('*x*'), (await test.session.lookUp('traced', {})).traced];
    const before = await state();
    await test.say('(setf *x* :agents) (defun g () 2)', { actor: AGENT });
    await test.session.rewind(test.session.view().checkpoints[1]!.id, PERSON);
    expect(await state()).toEqual(before);
  });

  it('The exit code that the code wished to end with is told when a later life ends too', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(identity 1)', { actor: AGENT });
    for (let round = 0; round < 3; round += 1) {
      expect(await test.say('(sb-ext:exit :code 7)')).toMatch(/exit code 7/);
      expect(await test.say('(+ 1 2)')).toBe('3');
    }
  });

  it('A fresh image takes over, and is announced, where going back does not help', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(identity 1)', { actor: AGENT });
    const said: string[] = [];
    // Ends the image's process repeatedly, shortly after each start, until the image is replaced. On a busy machine, a process may live too
    // long to count, so this may take more than five rounds.
    while (said.length < 50 && !said.at(-1)?.includes('A fresh image replaces it'))
      said.push(await test.say('(sb-ext:exit :code 7 :abort t)'));
    expect(said.length).toBeGreaterThanOrEqual(5);
    expect(said.length).toBeLessThan(50);
    expect(await test.say('(+ 1 2)')).toBe('3');
    expect(labels()).toEqual([]);
  });

  it('A running evaluation is answered as lost when somebody goes back', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(identity 1)', { actor: AGENT });
    const started = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const endless = test.say('(print :in-loop) (finish-output) (loop)');
    await started;
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await endless).toMatch(/went back to the checkpoint/);
    expect(await test.say('(+ 1 2)')).toBe('3');
  });

  it('The reason why no checkpoint can be made is told, and the evaluation goes on without one', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *server* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
    expect(await test.say('(identity 3)', { actor: AGENT })).toBe('3');
    expect(test.session.view()).toMatchObject({ checkpoints: [], checkpointProblem: '1 thread is running: server.' });
    await expect(test.session.checkpoint('mine', PERSON)).rejects.toThrow(
      'No checkpoint: 1 thread is running: server.',
    );
    await test.say('(sb-thread:terminate-thread *server*) (sb-thread:join-thread *server* :default nil)');
    await test.session.checkpoint('mine', PERSON);
    expect(test.session.view()).toMatchObject({ checkpoints: [{ label: 'mine' }], checkpointProblem: null });
  });

  it('Code that changes nothing needs no checkpoint', async () => {
    test = await openTestSession({ checkpoints: true });
    for (const code of ['(+ 1 2)', '*package*', "(list 'a)"]) await test.say(code, { actor: AGENT });
    expect(labels()).toEqual([]);
    await test.say('(defun f () 1)', { actor: AGENT });
    expect(labels()).toEqual(["before tester's evaluation 4"]);
  });

  it('Code that ends the image is answered with what comes back', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun keep-me (x) (* x 11))', { actor: AGENT });
    const said = await test.say('(sb-ext:exit :code 3)', { actor: AGENT });
    expect(said).toContain('exit code 3. The image returns to its last checkpoint');
    expect(await test.say('(keep-me 2)', { actor: AGENT })).toBe('22');
  });

  it('The oldest checkpoints go when there are more than twenty, and their memory is measured', async () => {
    test = await openTestSession({ checkpoints: true });
    for (let n = 1; n <= 23; n += 1) await test.say(`(identity ${n})`, { actor: AGENT });
    expect(labels()).toHaveLength(20);
    expect(labels()[0]).toBe("before tester's evaluation 4");
    await expect.poll(() => test.session.view().checkpoints.every(({ memory }) => memory !== null)).toBe(true);
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await test.say('*')).toBe('NIL');
    expect(await test.say('*', { actor: AGENT })).toBe('3');
  });

  it('A fresh image takes over when the checkpoints are gone as well', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun lost () 1)');
    await test.say('(identity 1)', { actor: AGENT });
    process.kill(-test.session.view().pid!, 'SIGKILL');
    expect(await test.say('(fboundp (quote lost))')).toMatch(/NIL|IMAGE-LOST/);
    await expect.poll(() => test.session.view().state).toBe('idle');
    expect(test.session.view()).toMatchObject({ checkpoints: [], lost: { definitions: [{ name: 'LOST' }] } });
  });

  it('Of several people who go back, one goes at a time, each to the checkpoint that they wished', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* 1)');
    for (const n of [2, 3, 4]) await test.say(`(setf *x* ${n})`, { actor: AGENT });
    const [first, second, third] = test.session.view().checkpoints;
    await Promise.all([first, third, second].map((each) => test.session.rewind(each!.id, PERSON)));
    expect(await test.say('*x*')).toBe('2');
    const endless = test.say('(loop)');
    await expect.poll(() => test.session.view().state).toBe('evaluating');
    await Promise.all([first, third].map((each) => test.session.rewind(each!.id, PERSON)));
    await endless;
    expect(await test.say('*x*')).toBe('3');
    expect(test.session.view().lost).toBeNull();
  });

  it('A crash after going back does not bring back what was undone', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :good)');
    await test.say('(setf *x* :bad)', { actor: AGENT });
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    await test.say('(sb-posix:kill (sb-posix:getpid) 9)');
    expect(await test.say('*x*')).toBe(':GOOD');
  });

  it('The history of definitions goes back and forth with the image, and what was reviewed stays so', async () => {
    test = await openTestSession({ checkpoints: true });
    const names = () => test.session.definitions.entries().map(({ name }) => name);
    await test.say('(defun f () 1)', { actor: AGENT });
    await expect.poll(names).toEqual(['F']);
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(names()).toEqual([]);
    await test.say('(defun g () 1)', { actor: AGENT });
    await expect.poll(names).toEqual(['G']);
    const further = test.session.view().checkpoints.find(({ label }) => label.startsWith('before going back'))!;
    await test.session.rewind(further.id, PERSON);
    expect(names()).toEqual(['F']);
    const { id } = await test.session.checkpoint('here', PERSON);
    test.session.definitions.review([test.session.definitions.entries()[0]!], true);
    await test.session.rewind(id, PERSON);
    expect(test.session.definitions.entries()).toMatchObject([{ name: 'F', reviewed: true }]);
  });

  it('A checkpoint whose process was ended is told and forgotten, and nothing else is lost', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :kept)');
    await test.say('(identity 1)', { actor: AGENT });
    const copy = childrenOf(test.session.view().pid!)[0]!;
    await test.say('(identity 2)'); // gives the next evaluation a separate checkpoint
    await test.say('(identity 3)', { actor: AGENT });
    process.kill(copy, 'SIGKILL');
    await expect.poll(() => runs(copy)).toBe(false);
    await expect(test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON)).rejects.toThrow('is gone');
    expect(labels()[0]).toBe("before tester's evaluation 2");
    expect(await test.say('*x*')).toBe(':KEPT');
  });

  it('A checkpoint whose process ends just as the image goes back to it is told as gone, and nothing is lost', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :before)');
    await test.say('(setf *x* :after)', { actor: AGENT });
    const copies = childrenOf(test.session.view().pid!);
    const [checkpoint] = test.session.view().checkpoints;
    onceRestarting(() => copies.forEach((pid) => process.kill(pid, 'SIGKILL')));
    await expect(test.session.rewind(checkpoint!.id, PERSON)).rejects.toThrow(
      'The checkpoint "before tester\'s evaluation 1" is gone: its process was ended. The image is at "before going back',
    );
    expect(await test.say('*x*')).toBe(':AFTER');
  });

  it('An image that finds none of its checkpoints when it goes back says that a fresh one takes its place', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun f () 1)');
    await test.say('(identity 1)', { actor: AGENT });
    onceRestarting(() => childrenOf(test.session.view().pid!).forEach((pid) => process.kill(pid, 'SIGKILL')));
    const gone = /The checkpoint .* is gone: its process was ended. A fresh image replaces it/;
    await expect(test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON)).rejects.toThrow(gone);
    expect(await test.say("(fboundp 'f)")).toBe('NIL');
    expect(test.session.view()).toMatchObject({
      checkpoints: [],
      lost: { reason: expect.stringMatching(gone) as string, definitions: [{ name: 'F' }] },
    });
    expect(test.changes.map(({ change }) => change)).not.toContain('rewound');
  });

  it('A crash after which the checkpoint is killed as it is to go on is told as what ended both [K6]', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun f () 1)');
    await test.say('(identity 1)', { actor: AGENT });
    const pid = test.session.view().pid!;
    const copies = childrenOf(pid);
    const stop = test.session.events.on('changed', () => {
      if (test.session.view().state !== 'starting') return;
      stop();
      for (const copy of copies) process.kill(copy, 'SIGKILL');
      while (copies.some((copy) => runs(copy))); // waits until the system has ended the processes
    });
    const ended = new Promise<string>((resolve) => {
      test.session.events.on('lifecycle', ({ change, summary }) => change === 'ended' && resolve(summary));
    });
    process.kill(pid, 'SIGKILL');
    expect(await ended).toBe(
      'The image was ended by SIGKILL. The checkpoint’s process, which should have continued, was ended too.',
    );
    expect(await test.say("(fboundp 'f)")).toBe('NIL');
  });

  it('The end of the image is noticed when the copy that would tell it was killed, and another one goes on', async () => {
    test = await openTestSession({ checkpoints: true, idleMs: 20 });
    await test.say('(defvar *x* :kept)');
    await test.say('(identity 1)', { actor: AGENT });
    const known = await nextIsReady(1);
    await test.say('(identity 2)', { actor: AGENT });
    const [watcher] = (await nextIsReady(2)).filter((pid) => !known.includes(pid));
    process.kill(watcher!, 'SIGKILL');
    expect(await test.say('(sb-posix:kill (sb-posix:getpid) 9)')).toMatch(/IMAGE-LOST/);
    expect(await test.say('*x*')).toBe(':KEPT');
  });

  it('The journal has what was evaluated just before a checkpoint of the person', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.session.start();
    const defining = test.say('(sleep 0.2) (defun f () 1)');
    await expect.poll(() => test.session.view().state).toBe('evaluating');
    const checkpoint = test.session.checkpoint('here', PERSON);
    // Blocks this process after the request has been sent, until both answers have arrived, as can happen on a busy machine.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    const { id } = await checkpoint;
    await defining;
    await test.session.rewind(id, PERSON);
    expect(await test.say('(fboundp (quote f))')).toMatch(/FUNCTION/);
    await test.session.restart();
    expect(test.session.view().lost).toMatchObject({ definitions: [{ name: 'F' }] });
  });

  it('While an error of an agent is held no checkpoint can be made, which is said, and afterwards there is one again [issue 35.1]', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(error "held")', { actor: AGENT, onError: 'hold', evaluation: 'held' });
    await test.say('(identity 2)', { actor: AGENT });
    expect(test.session.view().checkpointProblem).toMatch(/is waiting/);
    test.session.tell('give-up', { evaluation: 'held' });
    await expect.poll(() => test.session.debuggers).toEqual([]);
    await test.say('(identity 3)', { actor: AGENT });
    expect(labels()).toEqual(["before tester's evaluation 1", "before tester's evaluation 3"]);
    expect(test.session.view().checkpointProblem).toBeNull();
  });

  it('A debugger that was open is told as left when somebody goes back', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(identity 1)', { actor: AGENT });
    const left: string[] = [];
    test.session.events.on('debugger-left', ({ evaluation }) => left.push(evaluation));
    const debugged = test.say('(error "x")', { onError: 'debug', evaluation: 'debugged' });
    await expect.poll(() => test.session.view().state).toBe('debugging');
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await debugged).toMatch(/IMAGE-LOST/);
    expect(left).toEqual(['debugged']);
    expect(test.session.debuggers).toEqual([]);
    expect(test.session.openDebuggers.gone).toBe('The image went back to a checkpoint. 1 debugger ended with it.');
  });

  it('A person who restarts the image while it goes back gets a fresh one', async () => {
    test = await openTestSession({ checkpoints: true, idleMs: 20 });
    await test.say('(defun f () 1)');
    await test.say('(identity 1)', { actor: AGENT });
    const over = new Promise<void>((resolve) => {
      test.session.events.on('changed', () => {
        if (test.session.view().state === 'restarting') resolve();
      });
    });
    const back = test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON).catch(() => {});
    await over;
    await test.session.restart();
    await back;
    expect(await test.say("(fboundp 'f)")).toBe('NIL');
    expect(test.session.view().checkpoints).toEqual([]);
  });
});

/** Calls `action` when the image starts to go back. */
function onceRestarting(action: () => void): void {
  const stop = test.session.events.on('changed', () => {
    if (test.session.view().state !== 'restarting') return;
    stop();
    action();
  });
}

/** Waits until the process for the next checkpoint exists. Returns all checkpoint processes. */
async function nextIsReady(checkpoints: number): Promise<number[]> {
  const copies = (): number[] => childrenOf(test.session.view().pid!);
  await expect.poll(copies).toHaveLength(checkpoints + 1);
  await test.session.lookUp('packages', {}); // is answered only after the checkpoint's process was made
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  return copies();
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
