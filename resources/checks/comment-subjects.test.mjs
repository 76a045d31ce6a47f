import { describe, expect, it } from 'vitest';
import { subjectFaults } from './comment-subjects.mjs';

const SUBJECT = 'begins without its subject';

describe('subjects of doc comments', () => {
  it.each([
    'What is left.',
    'Who asks.',
    "Its client's name.",
    'It waits for a turn.',
    'Their sizes together.',
    'Those that are over.',
    'That it is over.',
    'Of such requests the latest.',
    'In which it is read.',
    'The same for a file.',
    'One that waits.',
    'One of them.',
  ])('A comment that leaves out its subject is reported with its file and line: %s', (text) => {
    const fault = (line) => [`${line} ${SUBJECT}: ${text}`];
    expect(subjectFaults('a.ts', `const a = 1;\n/** ${text} */\nconst b = 1;`)).toEqual(fault('a.ts:2'));
    expect(subjectFaults('a.mjs', `/**\n * ${text}\n */\nconst b = 1;`)).toEqual(fault('a.mjs:1'));
    expect(subjectFaults('a.lisp', `\n(defun a ()\n  "${text}"\n  1)`)).toEqual(fault('a.lisp:3'));
    expect(subjectFaults('a.lisp', `(defvar *a* '() "${text}")`)).toEqual(fault('a.lisp:1'));
    expect(subjectFaults('a.lisp', `;;;; ${text}\n`)).toEqual(fault('a.lisp:1'));
  });

  it.each([
    'The entries that wait.',
    'True when the image is alive.',
    'Returns what is left.',
    'One row of the table.',
    'Itself an image.',
    'Also waits for an image that starts.',
    'Whether the file is read-only.',
    'One-line texts.',
    'Whatever the client sent.',
  ])('A comment that names its subject is no fault: %s', (text) => {
    expect(subjectFaults('a.ts', `/** ${text} */\nconst b = 1;`)).toEqual([]);
    expect(subjectFaults('a.lisp', `;;;; ${text}\n(defun a ()\n  "${text}"\n  1)`)).toEqual([]);
  });

  it.each(['E1–E42.', 'X18–X22, decision 27.', 'decision 4'])(
    'A comment that begins with the numbers of items is reported: %s',
    (text) => {
      expect(subjectFaults('a.ts', `/** ${text} */\n`)).toEqual([
        `a.ts:1 begins with numbers of items in place of words: ${text}`,
      ]);
    },
  );

  it('A long comment is shown by its beginning, on one line', () => {
    const [fault] = subjectFaults('a.ts', `/** What\n * ${'x'.repeat(80)} */`);
    expect(fault).toBe(`a.ts:1 ${SUBJECT}: What ${'x'.repeat(55)}…`);
  });

  it('Strings and comments that document no definition are not read', () => {
    const lisp = `;; It waits.\n(defun a () "It waits.")\n(defvar *a* "It waits.")\n(print "It waits.")\n(defun b ()\n  "Do." (c "It #\\" \\" ("))\n`;
    expect(subjectFaults('a.lisp', lisp)).toEqual([]);
    expect(subjectFaults('a.ts', `// It waits.\n/* It waits. */\nconst a = '/** It waits. */';`)).toEqual([]);
  });

  it('The documentation of generic functions, slots and structures in Lisp is read', () => {
    const lisp = `(defgeneric a (b)\n  (:documentation "It waits."))\n(defclass c ()\n  ((d :documentation "Its waiting.")))\n(defstruct e\n  "That which waits."\n  f)`;
    expect(subjectFaults('a.lisp', lisp)).toEqual([
      `a.lisp:2 ${SUBJECT}: It waits.`,
      `a.lisp:4 ${SUBJECT}: Its waiting.`,
      `a.lisp:6 ${SUBJECT}: That which waits.`,
    ]);
  });
});
