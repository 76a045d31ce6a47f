/**
 * Attacks by an agent that changes the person's systems while ASDF works on them: how they are read and expanded, and which files ASDF
 * writes.
 */
import { utimes, writeFile } from 'node:fs/promises';
import type { EffectAttack, Place, Step } from '../attack.ts';

/** Writes the system "innocent", which has one file. The source is newer than any other file of the test. */
async function innocent({ at }: Place, source = '(defun innocent () 1)'): Promise<Step> {
  await writeFile(at('innocent.asd'), '(defsystem "innocent" :components ((:file "innocent")))');
  await writeFile(at('innocent.lisp'), source);
  const soon = new Date(Date.now() + 5000);
  await utimes(at('innocent.lisp'), soon, soon);
  return { agent: `(asdf:load-asd "${at('innocent.asd')}")` };
}

const LOAD = '(asdf:load-system "innocent")';
const COMPONENT = '(asdf:find-component "innocent" "innocent")';
const MADE: Step = { person: '(made)' };

/** Returns code with a readtable that makes the reader convert each form of a file into one of the agent's definitions. */
const reading = (effect: string, code: string): string =>
  `(let ((*readtable* (copy-readtable)))
     (set-macro-character #\\( (lambda (s c) c (read-delimited-list #\\) s) '(defun made () ${effect})))
     ${code})`;

/** Returns an attack in which the agent runs code before the system is loaded. `by` says which actor loads the system. */
const changing = (
  trick: string,
  by: 'agent' | 'person',
  agent: (effect: string) => readonly string[],
  source?: string,
): EffectAttack => ({
  finding: 3,
  trick,
  steps: async (place) => {
    const before = await innocent(place, source);
    const steps = agent(place.effect).map((code) => ({ agent: code }));
    return [before, ...steps, by === 'agent' ? { agent: LOAD } : { person: LOAD }, MADE];
  },
});

const WITH = '(with-safety (defun innocent () 1))';
const withSafety = (effect: string) => `(defmacro with-safety (&body b) \`(progn (defun made () ${effect}) ,@b))`;

export const systems: readonly EffectAttack[] = [
  changing('a system that an agent loads with a macro of its own', 'agent', (effect) => [withSafety(effect)], WITH),
  changing(
    'a system that an agent loads with an inline function of its own',
    'agent',
    (effect) => ['(declaim (inline helper))', `(defun helper () ${effect})`],
    '(defun made () (helper))',
  ),
  changing(
    'a system that an agent loads with a symbol macro of its own',
    'agent',
    (effect) => [`(define-symbol-macro helper ${effect})`],
    '(defun made () helper)',
  ),
  {
    finding: 3,
    trick: 'a system that an agent loads with a readtable of its own',
    steps: async (place) => [await innocent(place), { agent: reading(place.effect, LOAD) }, MADE],
  },
  {
    finding: 3,
    trick: 'a system that an agent loads as source with a readtable of its own',
    steps: async (place) => [
      await innocent(place),
      { agent: reading(place.effect, `(asdf:operate 'asdf:load-source-op "innocent")`) },
      MADE,
    ],
  },
  {
    finding: 3,
    trick: 'a system that an agent loads with a hook for macros',
    steps: async (place) => [
      await innocent(place),
      {
        agent: `(let ((*macroexpand-hook* (lambda (f form env) (if (eq (car form) 'defun) '(setf (fdefinition 'made) (lambda () ${place.effect})) (funcall f form env)))))
                  ${LOAD})`,
      },
      MADE,
    ],
  },
  {
    finding: 3,
    trick: 'a system that an agent loads in a package with a DEFUN of its own',
    steps: async (place) => [
      await innocent(place),
      { agent: '(defpackage "THEIRS" (:use "CL") (:shadow "DEFUN"))' },
      { agent: `(defmacro theirs::defun (n l &rest b) n l b '(cl:defun cl-user::made () ${place.effect}))` },
      { agent: `(let ((*package* (find-package "THEIRS"))) ${LOAD})` },
      MADE,
    ],
  },
  changing('a system of the person around whose compilation an agent put a method', 'person', (effect) => [
    `(defmethod asdf:perform :around ((o asdf:compile-op) (c (eql ${COMPONENT}))) ${reading(effect, '(call-next-method)')})`,
  ]),
  changing('a system of the person around whose compilation an agent put a function', 'person', (effect) => [
    `(setf (slot-value (asdf:find-system "innocent") 'asdf/component::around-compile) (lambda (f &rest r) ${reading(effect, '(apply f r)')}))`,
  ]),
  {
    finding: 3,
    trick: 'a system that an agent compiled with its macro, loaded again by a plain SBCL',
    steps: async (place) => [
      await innocent(
        place,
        '(defun innocent () 1) #.(if (find-package "LISP-WORKBENCH") (read-from-string "(with-safety 1)") 1)',
      ),
      { agent: withSafety(place.effect) },
      { agent: LOAD },
      MADE,
      {
        beside: () =>
          place.elsewhere(
            `(require :asdf) (asdf:load-asd "${place.at('innocent.asd')}") ${LOAD} (when (fboundp 'made) (funcall 'made))`,
          ),
      },
    ],
  },
  {
    finding: 6,
    trick: 'a file of the person that an agent’s method names as the output of their system',
    steps: async (place) => [
      await innocent(place),
      {
        agent: `(defmethod asdf:output-files ((o asdf:compile-op) (c (eql ${COMPONENT}))) (values (list #p"${place.at('kept.txt')}") t))`,
      },
      {
        person: `(progn ${LOAD} (unless (string= "the person wrote this" (uiop:read-file-string "${place.at('kept.txt')}")) (delete-file "${place.at('kept.txt')}")))`,
      },
    ],
  },
];
