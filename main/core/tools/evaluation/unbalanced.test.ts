/** Unbalanced code that a client sends through each tool that accepts code. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type Reply, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

const CODE = '(defun f (x)\n  (let ((y 1)\n    (print y))\n  x)\n';
const WHERE =
  'Line 2, column 8: ((y 1) is never closed, although line 3 is indented as if it were. Insert ) at the end of line 2.';
let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  bench.workbench.approvals.setApprover('the test');
  await writeFile(path.join(bench.project, 'broken.lisp'), CODE);
  await writeFile(path.join(bench.project, 'fine.lisp'), '(defun g () 1)\n');
  await writeFile(
    path.join(bench.project, 'ruined.asd'),
    '(defsystem "ruined" :components ((:file "broken")) :perform (test-op (o c) :done))\n',
  );
}, 120_000);

afterAll(() => bench.close());

describe('code that cannot be read', () => {
  it.each<[string, Record<string, unknown>]>([
    ['evaluate-lisp', { code: CODE }],
    ['eval-form', { form: CODE }],
    ['compile-form', { form: CODE }],
    ['time-execution', { code: CODE }],
    ['profile-code', { code: CODE }],
    ['macroexpand-form', { form: CODE }],
    ['load-file', { path: 'broken.lisp' }],
    ['load-system', { system: 'ruined' }],
    ['run-tests', { system: 'ruined' }],
    ['edit-definition', { path: 'fine.lisp', definition: 'g', text: CODE }],
  ])('Code that cannot be read is located by its indentation, with what mends it, by %s', async (name, args) => {
    expect(await client.call(name, args)).toMatchObject({
      isError: true,
      text: expect.stringContaining(WHERE) as unknown,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['write-file', { path: 'new.lisp', content: CODE }],
    ['propose-file-edit', { path: 'fine.lisp', original: '(defun g () 1)\n', modified: CODE, description: '' }],
  ])('Unreadable text is located by its indentation by %s, on card and in answer', async (name, args) => {
    const answer: Promise<Reply> = client.call(name, args);
    await decideNext(bench.workbench.approvals, (card) => {
      expect(card.facts.checked).toEqual({ words: `cannot be read: ${WHERE}`, fault: true });
      return { decision: 'approved' };
    });
    const place = `${String(args['path'])}:2:8 does not read as Lisp: `;
    expect((await answer).text).toContain(place + WHERE.slice('Line 2, column 8: '.length));
  });

  it('Code whose error is another one is not called unbalanced', async () => {
    expect(
      (await client.call('evaluate-lisp', { code: '(with-input-from-string (s "(") (read s))' })).text,
    ).not.toContain('[Unbalanced]');
    expect((await client.call('evaluate-lisp', { code: 'no-such-package::x' })).text).not.toContain('[Unbalanced]');
  });
});
