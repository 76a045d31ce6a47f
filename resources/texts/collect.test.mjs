import { describe, expect, it } from 'vitest';
import { commentsOf, textsOf } from './collect.mjs';

const texts = (file, source) => textsOf(file, source).map(({ text }) => text);

describe('collecting the shown texts', () => {
  it('Attributes, contents of elements, sentences and templates of a page are collected, whole [issue 37.2]', () => {
    const source = `
      import { draw } from './Draw the Thing.tsx';
      type Kind = 'A kind of thing.';
      const rows = { title: 'Apropos', id: 'Not shown at all', kind: 'Some kind here' };
      export const Panel = ({ count, path }: Props) => (
        <p className="wide row of cells" title="Close" aria-label={count > 1 ? 'Close all' : 'Close it'}>
          Nothing is open. {count} of them, \`inline code\`
        </p>
      );
      throw new Error(\`\${path} cannot be read: \${reason === null ? 'The disk is full.' : reason}\`);
      notify('The file was saved, ' + 'and its backup, too, under ' + path + '.');
      evaluate('(list 1 2 3 four five six)');`;
    expect(texts('panel.tsx', source)).toEqual([
      'Apropos',
      'Close',
      'Close all',
      'Close it',
      'Nothing is open.',
      'of them, `inline code`',
      "{path} cannot be read: {reason === null ? 'The disk is full.' : reason}",
      'The disk is full.',
      'The file was saved, and its backup, too, under {path}.',
    ]);
  });

  it('Strings of Lisp that are prose are collected; documentation, names and code are not [issue 37.2]', () => {
    const source = `
      (defun f (x)
        "Return what F returns, which nobody sees."
        (error "The form ~S cannot be ~
                read here." x)) ; "a comment is not a text"
      (defvar *names* "It is documented here." )
      (defvar *v* nil "Documents a variable for readers.")
      (define-condition c (error) () (:documentation "Documents a condition here.")
        (:report "The image has ended."))
      (intern "SOME-NAME") (read-from-string "(print (list 1 2 3) stream)") #\\" #| "in a comment, too" |#`;
    expect(texts('f.lisp', source)).toEqual([
      'The form ~S cannot be read here.',
      'It is documented here.',
      'The image has ended.',
    ]);
  });

  it('A text is found in its line', () => {
    expect(textsOf('f.ts', "\n\nnotify('The file was saved.');")).toEqual([
      { file: 'f.ts', line: 3, text: 'The file was saved.' },
    ]);
  });

  it('Comments of TypeScript are collected with the line that they belong to, lines of one comment as one [issue 37.4]', () => {
    const source = `/**
 * Adds one
 * and one.
 */
const two = 1 + 1; // No sum is "// smaller".
  // The first line
  // and the second.
  const text = '// not a comment';`;
    expect(commentsOf('f.ts', source)).toMatchObject([
      { file: 'f.ts', line: 1, text: 'Adds one and one.', code: 'const two = 1 + 1; // No sum is "// smaller".' },
      { file: 'f.ts', line: 5, text: 'No sum is "// smaller".', code: 'const two = 1 + 1;' },
      { file: 'f.ts', line: 6, text: 'The first line and the second.', code: "const text = '// not a comment';" },
    ]);
  });

  it('Comments and docstrings of Lisp are collected with the line that they belong to [issue 37.4]', () => {
    const source = `;;;; The head of
;;;; a file.

(defun f (x)
  "Return \\"X\\",
unchanged."
  ;; The value.
  (print "it is; shown") x) ; last`;
    expect(commentsOf('f.lisp', source).map(({ line, text, code }) => [line, text, code])).toEqual([
      [1, 'The head of a file.', '(defun f (x)'],
      [5, 'Return "X", unchanged.', '(defun f (x)'],
      [7, 'The value.', '(print "it is; shown") x) ; last'],
      [8, 'last', '(print "it is; shown") x)'],
    ]);
  });
});
