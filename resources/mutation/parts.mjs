/**
 * The pure parts of the program whose tests are measured with mutants. Each part lists its sources and the tests that must kill their
 * mutants. These tests do not use an image, a window or a client.
 */
export const PARTS = {
  policy: {
    sources: ['main/core/approvals/policy/policy.ts'],
    tests: ['main/core/approvals/policy/policy.test.ts'],
  },
  rules: {
    sources: ['main/core/approvals/policy/rules.ts'],
    tests: ['main/core/approvals/policy/rules.test.ts'],
  },
  hunks: {
    sources: ['main/core/project/edits/hunks.ts'],
    tests: ['main/core/project/edits/hunks.test.ts'],
  },
  turns: {
    sources: ['main/core/sessions/scheduler/run-queue.ts'],
    tests: ['main/core/sessions/scheduler/run-queue.test.ts'],
  },
  gate: {
    sources: [
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
    sources: ['renderer/ui/menus/key-strokes.ts', 'renderer/base/keys/key-sequences.ts'],
    tests: ['renderer/ui/menus/key-strokes.test.ts', 'renderer/base/keys/key-sequences.test.ts'],
  },
  kills: {
    sources: ['renderer/base/text/kill-ring.ts', 'renderer/base/text/emacs-text.ts'],
    tests: ['renderer/base/text/kill-ring.test.ts', 'renderer/base/text/emacs-text.test.ts'],
  },
  pairs: {
    sources: ['renderer/sexp/reading/pairs.ts'],
    tests: ['renderer/sexp/reading/pairs.test.ts'],
  },
  groups: {
    sources: ['renderer/editor/groups/groups.ts', 'renderer/editor/groups/grid.ts'],
    tests: ['renderer/editor/groups/groups.test.ts'],
  },
  pieces: {
    sources: ['renderer/sexp/reading/syntax-pieces.ts'],
    tests: ['renderer/sexp/reading/syntax-pieces.test.ts'],
  },
  reader: {
    sources: ['main/contract/sexp/reader.ts'],
    tests: ['main/contract/sexp/reader.test.ts'],
  },
  frames: {
    sources: ['main/core/lisp/frame.ts'],
    tests: ['main/core/lisp/frame.test.ts'],
  },
};

/**
 * Returns the `sources` or the `tests` of the part that MUTATION_PART names. If the variable is not set, returns those of all parts, for
 * tools that only read the configuration.
 */
export function filesOf(kind) {
  const name = process.env.MUTATION_PART;
  return (name === undefined ? Object.values(PARTS) : [PARTS[name]]).flatMap((part) => part[kind]);
}
