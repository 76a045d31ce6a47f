/** Extensions of the compiler. */
import type { EffectAttack } from '../attack.ts';

const called = { person: '(defun later () (twice 2))' };
const run = { person: '(later)' };

export const compiler: readonly EffectAttack[] = [
  {
    finding: 17,
    trick: 'a source transform',
    steps: ({ effect }) => [
      { agent: `(defun twice (n) (* 2 n)) (sb-c:define-source-transform twice (n) \`(progn ,'${effect} ,n))` },
      called,
      run,
    ],
  },
  {
    finding: 17,
    trick: 'a source transform of the person’s function',
    steps: ({ effect }) => [
      { person: '(defun twice (n) (* 2 n))' },
      { agent: `(sb-c:define-source-transform twice (n) \`(progn ,'${effect} ,n))` },
      called,
      run,
    ],
  },
  {
    finding: 17,
    trick: 'a source transform without a name of its own',
    steps: ({ effect }) => [
      {
        agent: `(defun twice (n) (* 2 n)) (sb-c::%define-source-transform 'twice (lambda (form environment) environment \`(progn ,'${effect} ,(second form))))`,
      },
      called,
      run,
    ],
  },
  {
    finding: 17,
    trick: 'a closure that a source transform’s form makes',
    steps: ({ effect }) => [
      {
        agent: `(defun twice (n) (* 2 n)) (sb-c:define-source-transform twice (n) \`(list ,n (lambda () ,'${effect})))`,
      },
      called,
      { person: '(funcall (second (later)))' },
    ],
  },
  {
    finding: 17,
    trick: 'a transform by types',
    steps: ({ effect }) => [
      { agent: '(sb-c:defknown twice (integer) t () :overwrite-fndb-silently t) (defun twice (n) (* 2 n))' },
      { agent: `(sb-c:deftransform twice ((n) (integer)) '(progn ${effect} n))` },
      called,
      run,
    ],
  },
];
