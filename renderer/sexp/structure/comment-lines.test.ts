import { expect, it } from 'vitest';
import { edited } from './edits.ts';
import { toggledComment } from './comment-lines.ts';

/** Runs the command on the lines of a drawing that begin with `¦`. Returns the resulting text. */
function toggled(drawn: string): string {
  const start = drawn.indexOf('¦');
  const behind = drawn.slice(drawn.lastIndexOf('¦')).indexOf('\n');
  const text = drawn.replaceAll('¦', '');
  const marks = drawn.split('¦').length - 1;
  const end = behind < 0 ? text.length : drawn.lastIndexOf('¦') + behind - marks;
  const effect = toggledComment(text, { start, end });
  return typeof effect === 'string' ? effect : edited(text, effect);
}

it.each([
  ['the last line of a form', '(f\n  (a)\n¦  (b))\n', '(f\n  (a)\n  ;; (b)\n)\n'],
  ['the last line of several forms', '(f (g\n¦    (b x)))\n', '(f (g\n    ;; (b x)\n))\n'],
  ['several lines', '(f\n¦  (a)\n¦    (b))', '(f\n  ;; (a)\n  ;;   (b)\n)'],
  ['a comment at the end', '(f\n¦  (b)) ; why\n', '(f\n  ;; (b) ; why\n)\n'],
])('What closes around a comment stays code, and comes back with it: %s', (_what, code, comment) => {
  expect(toggled(code)).toBe(comment);
  const marked = comment.replaceAll(/^(?=\s*;;)/gm, '¦');
  expect(toggled(marked)).toBe(code.replaceAll('¦', ''));
});

it.each([
  ['(f\n¦  (a)\n  (b))\n', 'plain'],
  ['(f\n¦  ;; (a)\n  (b))\n', 'plain'],
  ['(f "a\n¦b)\nc")\n', 'plain'],
  ['(f\n¦ ;; prose\n )\n', '(f\n prose)\n'],
  ['(f\n¦ ;; ; prose\n )\n', 'plain'],
  ['(f\n¦  (when x\n    (b)))\n', 'unbalancing'],
  ['(f\n¦  "one\n  two")\n', 'unbalancing'],
  ['(f\n¦  ;; (when x\n  (b))\n', 'unbalancing'],
  ['(f\n¦  (b)))\n', 'plain'],
  ['(f (a\n¦  b) c\n d)\n', '(f (a\n  ;; b) c\n)\n d)\n'],
])('In %j toggling the comment gives %j', (drawn, expected) => {
  expect(toggled(drawn)).toBe(expected);
});

it('Closers in the middle of a line are in the comment and behind it, and once again when it is code', () => {
  expect(toggled('(f (a\n¦  ;; b) c\n)\n d)\n')).toBe('(f (a\n  b) c\n d)\n');
});
