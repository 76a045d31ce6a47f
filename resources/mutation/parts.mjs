/**
 * The pure parts of the program whose tests are measured by mutants: what each consists of, and the tests that must kill by
 * themselves, without an image, a window or a client. What a name stands for is in the glossary.
 */
export const PARTS = {
  policy: {
    files: ['main/core/approvals/policy/policy.ts'],
    tests: ['main/core/approvals/policy/policy.test.ts'],
  },
  rules: {
    files: ['main/core/approvals/policy/rules.ts'],
    tests: ['main/core/approvals/policy/rules.test.ts'],
  },
  hunks: {
    files: ['main/core/project/hunks.ts'],
    tests: ['main/core/project/hunks.test.ts'],
  },
  turns: {
    files: ['main/core/sessions/scheduler/run-queue.ts'],
    tests: ['main/core/sessions/scheduler/run-queue.test.ts'],
  },
  gate: {
    files: [
      'renderer/approval/decision/click-guard.ts',
      'main/core/effects/subject.ts',
      'main/core/effects/grouping.ts',
    ],
    tests: [
      'renderer/approval/decision/click-guard.test.ts',
      'main/core/effects/subject.test.ts',
      'main/core/effects/grouping.test.ts',
    ],
  },
  keymap: {
    files: ['renderer/base/keymap.ts'],
    tests: ['renderer/base/keymap.test.ts'],
  },
  reader: {
    files: ['main/contract/sexp/reader.ts'],
    tests: ['main/contract/sexp/reader.test.ts'],
  },
  frames: {
    files: ['main/core/lisp/frame.ts'],
    tests: ['main/core/lisp/frame.test.ts'],
  },
};
