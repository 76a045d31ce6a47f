import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;

afterEach(() => test.close());

function labels(): string[] {
  return test.session.view().checkpoints.map(({ label }) => label);
}

describe('time travel', () => {
  it('a checkpoint is made before each evaluation of an agent, and none before the person’s', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* 1)');
    await test.say('(setf *x* 2)', { actor: AGENT });
    await test.say('(setf *x* 3)', { actor: AGENT });
    expect(labels()).toEqual(["before tester's evaluation 1", "before tester's evaluation 2"]);
    expect(await test.say('*x*')).toBe('3');
  });

  it('going back restores the image, the journal and the package, and can be taken back itself', async () => {
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

  it('K6 P4 a crash goes back to the last checkpoint by itself and offers what came after it', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun kept () :kept)');
    await test.say('(defvar *agents* :agents)', { actor: AGENT });
    await test.say('(defun after () (list (kept) :after))');
    expect(await test.say('(sb-posix:kill (sb-posix:getpid) 9)')).toMatch(
      /IMAGE-LOST: The image was ended by SIGKILL\. The image goes back to its last checkpoint/,
    );
    expect(await test.say('(list (kept) (boundp (quote *agents*)) (fboundp (quote after)))')).toBe('(:KEPT NIL NIL)');
    expect(test.session.view().lost).toMatchObject({
      reason: 'The image was ended by SIGKILL.',
      definitions: [
        { actor: 'client:tester', name: '*AGENTS*' },
        { actor: 'person', name: 'AFTER' },
      ],
    });
    expect(await test.session.replay()).toEqual({ replayed: 1, failed: [] });
    expect(await test.say('(after)')).toBe('(:KEPT :AFTER)');
  });

  it('what the code wished to end with is told when a later life ends too', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('1', { actor: AGENT });
    for (let round = 0; round < 3; round += 1) {
      expect(await test.say('(sb-ext:exit :code 7)')).toMatch(/exit code 7/);
      expect(await test.say('(+ 1 2)')).toBe('3');
    }
  });

  it('a running evaluation is answered as lost when somebody goes back', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('1', { actor: AGENT });
    const started = new Promise<void>((resolve) => {
      test.session.events.on('output', () => resolve());
    });
    const endless = test.say('(print :in-loop) (finish-output) (loop)');
    await started;
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await endless).toMatch(/went back to the checkpoint/);
    expect(await test.say('(+ 1 2)')).toBe('3');
  });

  it('why no checkpoint can be made is told, and the evaluation goes on without one', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *server* (sb-thread:make-thread (lambda () (sleep 1000)) :name "server"))');
    expect(await test.say('(+ 1 2)', { actor: AGENT })).toBe('3');
    expect(test.session.view()).toMatchObject({ checkpoints: [], checkpointProblem: '1 thread is running: server.' });
    await expect(test.session.checkpoint('mine', PERSON)).rejects.toThrow(
      'No checkpoint: 1 thread is running: server.',
    );
    await test.say('(sb-thread:terminate-thread *server*) (sb-thread:join-thread *server* :default nil)');
    await test.session.checkpoint('mine', PERSON);
    expect(test.session.view()).toMatchObject({ checkpoints: [{ label: 'mine' }], checkpointProblem: null });
  });

  it('the oldest go when there are more than twenty, and their memory is measured', async () => {
    test = await openTestSession({ checkpoints: true });
    for (let n = 1; n <= 23; n += 1) await test.say(String(n), { actor: AGENT });
    expect(labels()).toHaveLength(20);
    expect(labels()[0]).toBe("before tester's evaluation 4");
    await expect.poll(() => test.session.view().checkpoints.every(({ memory }) => memory !== null)).toBe(true);
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await test.say('*')).toBe('NIL');
    expect(await test.say('*', { actor: AGENT })).toBe('3');
  });

  it('a fresh image takes over when the checkpoints are gone as well', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun lost () 1)');
    await test.say('1', { actor: AGENT });
    process.kill(-test.session.view().pid!, 'SIGKILL');
    expect(await test.say('(fboundp (quote lost))')).toMatch(/NIL|IMAGE-LOST/);
    await expect.poll(() => test.session.view().state).toBe('idle');
    expect(test.session.view()).toMatchObject({ checkpoints: [], lost: { definitions: [{ name: 'LOST' }] } });
  });

  it('one goes back at a time, each to where it wished', async () => {
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

  it('a crash after going back does not bring back what was undone', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :good)');
    await test.say('(setf *x* :bad)', { actor: AGENT });
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    await test.say('(sb-posix:kill (sb-posix:getpid) 9)');
    expect(await test.say('*x*')).toBe(':GOOD');
  });

  it('the history of definitions goes back and forth with the image, and what was reviewed stays so', async () => {
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
    test.session.definitions.review([test.session.definitions.entries()[0]!.id], true);
    await test.session.rewind(id, PERSON);
    expect(test.session.definitions.entries()).toMatchObject([{ name: 'F', reviewed: true }]);
  });

  it('a checkpoint whose process was ended is told and forgotten, and nothing else is lost', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :kept)');
    await test.say('1', { actor: AGENT });
    const copy = childrenOf(test.session.view().pid!)[0]!;
    await test.say('2', { actor: AGENT });
    process.kill(copy, 'SIGKILL');
    await expect(test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON)).rejects.toThrow('is gone');
    expect(labels()[0]).toBe("before tester's evaluation 2");
    expect(await test.say('*x*')).toBe(':KEPT');
  });

  it('the end of the image is noticed when the copy that would tell it was killed, and another one goes on', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *x* :kept)');
    await test.say('1', { actor: AGENT });
    const known = childrenOf(test.session.view().pid!);
    await test.say('2', { actor: AGENT });
    const [watcher] = childrenOf(test.session.view().pid!).filter((pid) => !known.includes(pid));
    process.kill(watcher!, 'SIGKILL');
    expect(await test.say('(sb-posix:kill (sb-posix:getpid) 9)')).toMatch(/IMAGE-LOST/);
    expect(await test.say('*x*')).toBe(':KEPT');
  });

  it('the journal has what was evaluated just before a checkpoint of the person', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.session.start();
    const defining = test.say('(sleep 0.2) (defun f () 1)');
    await expect.poll(() => test.session.view().state).toBe('evaluating');
    const { id } = await test.session.checkpoint('here', PERSON);
    await defining;
    await test.session.rewind(id, PERSON);
    expect(await test.say('(fboundp (quote f))')).toMatch(/FUNCTION/);
    await test.session.restart();
    expect(test.session.view().lost).toMatchObject({ definitions: [{ name: 'F' }] });
  });

  it('what an agent left in the debugger is given up before the checkpoint of its next evaluation', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(error "held")', { actor: AGENT, onError: 'hold' });
    await test.say('2', { actor: AGENT });
    expect(labels()).toHaveLength(2);
    expect(test.session.view().checkpointProblem).toBeNull();
  });

  it('a debugger that was open is told as left when somebody goes back', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('1', { actor: AGENT });
    const left: string[] = [];
    test.session.events.on('debugger-left', ({ evaluation }) => left.push(evaluation));
    const debugged = test.say('(error "x")', { onError: 'debug', evaluation: 'debugged' });
    await expect.poll(() => test.session.view().state).toBe('debugging');
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
    expect(await debugged).toMatch(/IMAGE-LOST/);
    expect(left).toEqual(['debugged']);
    expect(test.session.debuggers).toEqual([]);
  });

  it('one who restarts the image while it goes back gets a fresh one', async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defun f () 1)');
    await test.say('1', { actor: AGENT });
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

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
