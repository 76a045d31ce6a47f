import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);
afterAll(() => bench.close());

const CODE = '(defun continued ()\r\n  (list (format nil "a~\r\n     b") (length "x\r\ny")))\r\n';

it('A form from a text with CR LF goes with LF in its strings [issue 35.1]', async () => {
  expect(await client.evaluate(`${CODE}(continued)\r\n`)).toContain('("ab" 3)');
  expect((await bench.asPerson(`${CODE}(continued)\r\n`)).values).toMatchObject([{ text: '("ab" 3)' }]);
});

it('A string of a text that has LF as well keeps its CR [issue 35.1]', async () => {
  expect(await client.evaluate('(progn\n  (length "x\r\ny"))')).toContain('4');
});

it('A file and a form that are compiled are read in the same way, and faults stay at their places [issue 35.1]', async () => {
  await writeFile(path.join(bench.project, 'crlf.lisp'), `${CODE}\r\n(defun faulty () (undefined-there))\r\n`);
  const { text } = await client.call('load-file', { path: 'crlf.lisp' });
  expect(text).toMatch(/crlf\.lisp:6:19/);
  expect(await client.evaluate('(continued)')).toContain('("ab" 3)');
  await client.call('compile-form', { form: CODE.replace('continued', 'again') });
  expect(await client.evaluate('(again)')).toContain('("ab" 3)');
});
