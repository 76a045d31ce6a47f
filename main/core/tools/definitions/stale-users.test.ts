/** Stories about the report that names code that is still compiled against an earlier definition. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

const write = (file: string, text: string): Promise<void> => writeFile(path.join(bench.project, file), text);
const load = (file: string) => client.call('load-file', { path: file });

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  await write('mill.asd', '(defsystem "mill" :serial t :components ((:file "macros") (:file "users") (:file "more")))');
  await write('macros.lisp', MACROS);
  await write(
    'users.lisp',
    `(defun use-grind (x) (grind x)) (defmethod meal ((x integer)) (grind x))
(defun use-part () (list (stone-weight (make-stone)) (inlined 1)))
(defun use-speed () (list +speed+))`,
  );
  await write('more.lisp', '(defun other () 1) (defun use-too (x) (grind x))');
  await client.call('load-system', { system: 'mill' });
}, 120_000);
afterAll(() => bench.close());

const MACROS = `(defmacro grind (x) \`(list :fine ,x))
(defmacro sieve (x) \`(list ,x))
(defstruct stone (weight 1))
(declaim (inline inlined))
(defun inlined (x) (+ x 1))
(defconstant +speed+ 3)
(defun here () (sieve (grind 1)))`;

it('A load names what other files still have of a macro that it changed, and a load of the system compiles that [issue 35.1]', async () => {
  await write('macros.lisp', MACROS.replace(':fine', ':coarse'));
  expect((await load('macros.lisp')).text).toBe(
    [
      'Compiled and loaded, 6 definitions.',
      '',
      'Still compiled with the former GRIND: USE-GRIND (users.lisp), USE-TOO (more.lisp), MEAL (INTEGER) (users.lisp). load-file compiles users.lisp, more.lisp again.',
    ].join('\n'),
  );
  expect(await client.evaluate('(use-grind 1)')).toBe('=> (:FINE 1)');
  expect((await client.call('load-system', { system: 'mill' })).text).not.toContain('Still compiled');
  expect(await client.evaluate('(list (use-grind 1) (use-too 2))')).toBe('=> ((:COARSE 1) (:COARSE 2))');
  expect((await load('macros.lisp')).text).toBe('Compiled and loaded, 6 definitions.');
});

it.each([
  ['a macro', '(defmacro grind (x) `(list :evaluated ,x))', 'GRIND', 'MEAL (INTEGER)'],
  ['an inline function', '(defun inlined (x) (+ x 2))', 'INLINED', 'USE-PART'],
  ['a constant', "(handler-bind ((error #'continue)) (defconstant +speed+ 4))", '+SPEED+', 'USE-SPEED'],
])(
  'An evaluation names what is still compiled with %s that it changed [issue 35.1]',
  async (_what, code, name, user) => {
    const text = await client.evaluate(code);
    expect(text).toMatch(/^\[warnings\]\n/);
    expect(text).toContain(`STYLE-WARNING: Still compiled with the former ${name}: `);
    expect(text).toContain(`${user} (users.lisp)`);
    expect(await client.evaluate(code)).not.toContain('Still compiled');
  },
);
