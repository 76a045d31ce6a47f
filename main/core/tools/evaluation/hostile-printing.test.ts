/**
 * Objects that never finish printing, describing or documenting, or that print without end. Every inspection must still get a short answer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null });
  client = await bench.connect('codex');
  // The code quickly prints far more than the limit, and then prints slowly. It therefore uses little processor time until it is stopped.
  await client.evaluate(`
    (defun shout (stream)
      (loop for i from 0 do (write-string "loud loud loud" stream) (when (and (> i 100000) (zerop (mod i 1000))) (sleep 0.01))))
    (defclass loud () ())
    (defmethod print-object ((loud loud) stream) (shout stream))
    (defmethod describe-object ((loud loud) stream) (shout stream))
    (defmethod documentation ((loud loud) (type t)) (make-string 10000000 :initial-element #\\l))
    (defclass stuck () ())
    (defmethod print-object ((stuck stuck) stream) (loop (sleep 0.01)))
    (defmethod describe-object ((stuck stuck) stream) (loop (sleep 0.01)))
    (defclass deaf () ())
    (defmethod print-object ((deaf deaf) stream) (loop (handler-case (loop (sleep 0.01)) (serious-condition () nil))))
    (define-condition loud-error (error) () (:report (lambda (c s) (declare (ignore c)) (shout s))))
    (defvar *loud* (make-instance 'loud))
    (defvar *stuck* (make-instance 'stuck))
    (defvar *deaf* (make-instance 'deaf))
    (defun take (object) (error 'loud-error) object)
    nil`);
}, 120_000);

afterAll(() => bench.close());

describe('object that prints without end', () => {
  it.each<[string, Record<string, unknown>]>([
    ['evaluate-lisp', { code: '*loud*' }],
    ['evaluate-lisp', { code: '(list *loud* *loud* *loud*)' }],
    ['evaluate-lisp', { code: '(error "~A" *loud*)' }],
    ['evaluate-lisp', { code: "(error 'loud-error)" }],
    ['evaluate-lisp', { code: '(warn \'simple-warning :format-control "~A" :format-arguments (list *loud*))' }],
    ['evaluate-lisp', { code: '(take *loud*)' }],
    ['eval-form', { form: '*loud*' }],
    ['describe-symbol', { symbol: '*loud*' }],
    ['inspect-object', { expression: '*loud*' }],
    ['list-definitions', {}],
    ['apropos-search', { pattern: 'loud' }],
    ['get-repl-history', {}],
    ['get-last-error', {}],
  ])(
    'The printed text of an object that prints without end is cut: %s %j [K6, case 33]',
    async (tool, args) => {
      const { text } = await client.call(tool, args);
      expect(text.length).toBeLessThan(300_000);
      expect(await client.evaluate('(+ 1 2)')).toBe('=> 3');
    },
    60_000,
  );
});

describe('object whose printing never ends', () => {
  it.each<[string, Record<string, unknown>]>(
    ['*stuck*', '*deaf*'].flatMap((name): [string, Record<string, unknown>][] => [
      ['evaluate-lisp', { code: name }],
      ['describe-symbol', { symbol: name }],
      ['inspect-object', { expression: name }],
      ['list-definitions', {}],
    ]),
  )(
    'An object whose printing never ends is left to itself: %s %j [K6, case 33]',
    async (tool, args) => {
      const { text } = await client.call(tool, args);
      expect(text.length).toBeLessThan(100_000);
      expect(await client.evaluate('(+ 1 2)')).toBe('=> 3');
    },
    60_000,
  );
});
