/** Attacks by code that was undone, and by code that is restored. */
import type { EffectAttack } from '../attack.ts';

export const undone: readonly EffectAttack[] = [
  {
    finding: 18,
    trick: 'a function that a finalizer defines',
    steps: ({ effect }) => [
      {
        agent: `(progn (sb-ext:finalize (make-array 10) (lambda () (eval '(defun by-finalizer () ${effect}))))
                       (loop repeat 100 until (fboundp 'by-finalizer) do (sb-ext:gc :full t) (sleep 0.05)))`,
      },
      { person: '(by-finalizer)' },
    ],
  },
  {
    finding: 1,
    trick: 'a closure in a table',
    steps: ({ effect }) => [
      { agent: `(defvar *table* (make-hash-table)) (setf (gethash :save *table*) (lambda () ${effect}))` },
      { person: '(funcall (gethash :save *table*))' },
    ],
  },
];
