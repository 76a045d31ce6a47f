/** Functions of agents in the hooks for the start, saving or end of an image. */
import type { EffectAttack } from '../attack.ts';

export const savedImages: readonly EffectAttack[] = [
  {
    finding: 7,
    trick: 'a function of the agent that is called when the image is saved',
    steps: ({ effect }) => [
      { agent: `(uiop:register-image-dump-hook (lambda () ${effect}))` },
      { person: '(uiop:call-image-dump-hook)' },
    ],
  },
  {
    finding: 7,
    trick: 'the person’s own function that an agent has called when the image is saved',
    steps: ({ effect }) => [
      { person: `(defun tidy () ${effect})` },
      { agent: "(push 'tidy uiop:*image-dump-hook*)" },
      { person: '(uiop:call-image-dump-hook)' },
    ],
  },
  {
    finding: 7,
    trick: 'the person’s own function that an agent has called when the image starts',
    steps: ({ effect }) => [
      { person: `(defun tidy () ${effect})` },
      { agent: '(uiop:register-image-restore-hook (symbol-function (find-symbol "TIDY")) nil)' },
      { person: '(uiop:call-image-restore-hook)' },
    ],
  },
  {
    finding: 7,
    trick: 'a hook that is put into the middle of the person’s list',
    steps: ({ effect }) => [
      { person: `(defun tidy () ${effect})` },
      { person: '(setf uiop:*image-dump-hook* (list (constantly 1) (constantly 2)))' },
      { agent: "(setf (cdr uiop:*image-dump-hook*) (list 'tidy))" },
      { person: '(uiop:call-image-dump-hook)' },
    ],
  },
  {
    finding: 7,
    trick: 'the person’s own function that an agent has called when the image ends',
    steps: ({ effect }) => [
      { person: `(defun tidy () ${effect})` },
      { agent: "(push 'tidy sb-ext:*exit-hooks*)" },
      { person: '(sb-int:call-hooks "exit" sb-ext:*exit-hooks*)' },
    ],
  },
  {
    finding: 7,
    trick: 'a hook that a thread of the agent’s sets while the person’s code runs',
    steps: ({ effect }) => [
      {
        person: `(defvar *go* (sb-thread:make-semaphore)) (defvar *done* (sb-thread:make-semaphore)) (defun tidy () ${effect})`,
      },
      {
        agent: `(progn (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*)
                  (push 'tidy uiop:*image-dump-hook*) (sb-thread:signal-semaphore *done*) (sleep 60))) nil)`,
      },
      { person: '(progn (sb-thread:signal-semaphore *go*) (sb-thread:wait-on-semaphore *done*))' },
      { person: '(uiop:call-image-dump-hook)' },
    ],
  },
];
