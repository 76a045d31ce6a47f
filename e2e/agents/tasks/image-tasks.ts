/** Tasks that need a running image: accidents, and a long session with undo and checkpoints. */
import { expectText, type Task } from './task.ts';

const NONE = { needs: [], goal: false, prepare: () => Promise.resolve() };

const accidents: Task = {
  ...NONE,
  name: '8 accidents',
  title: 'Code loops, floods, exhausts the stack, and asks for too much; what was computed before stays.',
  tools: async (agent) => {
    await agent.call('evaluate-lisp', { code: '(defvar *kept* (list 1 2 3)) (defun down (n) (1+ (down (1+ n))))' });
    expectText(await agent.call('evaluate-lisp', { code: '(loop)', timeout: 1 }, true), /[Ii]nterrupted after 1 s/);
    await agent.call('evaluate-lisp', { code: '(dotimes (i 1000000) (format t "line ~D~%" i))' });
    expectText(await agent.call('evaluate-lisp', { code: '(down 0)' }, true), /EXHAUSTED/);
    await agent.call('evaluate-lisp', { code: '(make-list 100000)' });
    expectText(await agent.call('evaluate-lisp', { code: '(make-array (ash 1 40))' }, true), /HEAP|ERROR/i);
    expectText(
      await agent.call('evaluate-lisp', { code: '(sb-sys:without-interrupts (loop))', timeout: 1 }, true),
      /./,
    );
    expectText(await agent.call('evaluate-lisp', { code: '*kept*' }), /=> \(1 2 3\)/);
  },
};

const ROUNDS = 20;

const session: Task = {
  ...NONE,
  name: '9 a long session',
  title: `${ROUNDS} rounds of define, try, and undo, with a checkpoint at the start that is gone back to at the end.`,
  tools: async (agent) => {
    await agent.call('evaluate-lisp', { code: '(defvar *count* 0) (defun step-of (n) n)' });
    const [, id] = /Checkpoint (\d+)/.exec(await agent.call('checkpoint', { label: 'start' }))!;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await agent.call('evaluate-lisp', { code: `(defun step-of (n) (+ n ${round}))` });
      expectText(await agent.call('evaluate-lisp', { code: '(incf *count* (step-of 1))' }), /=> \d+/);
      await agent.call('undo-definition', { symbol: 'step-of' });
    }
    expectText(await agent.call('evaluate-lisp', { code: '(step-of 41)' }), /=> 41/);
    await agent.call('rewind', { id: Number(id) });
    expectText(await agent.call('evaluate-lisp', { code: '*count*' }), /=> 0/);
  },
};

export const imageTasks = { accidents, session };
