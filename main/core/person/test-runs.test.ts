import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestWorkbench, type TestWorkbench } from '../workbench.fixture.ts';

let bench: TestWorkbench;
beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);
afterAll(() => bench.close());

const ID = 'fiveam TELLING::TELLS';

async function define(body: string): Promise<void> {
  const code = `(asdf:load-system "fiveam")
    (unless (find-package :telling) (make-package :telling :use '(:cl :fiveam)))
    (let ((*package* (find-package :telling))) (eval (read-from-string ${JSON.stringify(`(test tells ${body})`)})))`;
  const { session } = bench.workbench;
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id, interactive: false };
  const { report } = await session.evaluate({ ...who, code, package: null, source: null });
  expect(report).toMatchObject({ status: 'ok' });
}

describe('runs of the person', () => {
  it('A result is kept with what its test printed, as an evaluation of the person in the activity [D11]', async () => {
    await define('(dotimes (i 3) (print i)) (is-true t)');
    const { tests, activity } = bench.workbench;
    const evaluation = randomUUID();
    const run = { tests: [ID, ID, 'fiveam TELLING::GONE'], debug: false, title: 'test tells', evaluation };
    expect(await tests.run(run)).toEqual({ status: 'ok', condition: null, missing: ['fiveam TELLING::GONE'] });
    const listed = await tests.list();
    expect(listed!.results).toMatchObject([{ test: ID, outcome: 'passed', output: '\n0 \n1 \n2 ', outputCut: 0 }]);
    const rows = activity
      .newest(20)
      .flatMap((event) => ('evaluation' in event && event.evaluation === evaluation ? [event] : []));
    expect(rows).toMatchObject([
      { kind: 'evaluation-started', actor: PERSON, code: 'test tells', origin: 'tests' },
      { kind: 'evaluation-finished', actor: PERSON, status: 'ok', summary: '1 test: 1 passed' },
    ]);
  });

  it('Of what a test prints without end the beginning is kept, and the rest counted [D11]', async () => {
    await define('(dotimes (i 30000) (write-string "0123456789")) (is-true t)');
    const { tests } = bench.workbench;
    await tests.run({ tests: [ID], debug: false, title: 'test tells', evaluation: randomUUID() });
    const [result] = (await tests.list())!.results;
    expect([result!.outcome, result!.output.length, result!.outputCut]).toEqual(['passed', 100_000, 200_000]);
  });

  it('The tested systems of a project are found with the systems of their tests, before and after these are loaded [issue 39.2]', async () => {
    const { tests, session } = bench.workbench;
    await define('(is-true t)');
    const write = (name: string, text: string): Promise<void> => writeFile(path.join(bench.project, name), text);
    await write(
      'stock.asd',
      `(defsystem "stock" :components ((:file "stock")) :in-order-to ((test-op (test-op "stock/tests"))))
(defsystem "stock/tests" :depends-on ("stock" "fiveam") :components ((:file "stock-tests"))
  :perform (test-op (o c) (symbol-call :fiveam :run! :stock-suite)))
(defsystem "stock/untested")`,
    );
    await write(
      'own-way.asd',
      '(defsystem "own-way" :components ((:file "own")) :perform (test-op (o c) (symbol-call :own :check)))',
    );
    await write('stock.lisp', '(defpackage :stock (:use :cl)) (in-package :stock) (defun item () 1)');
    await write(
      'stock-tests.lisp',
      '(defpackage :stock/tests (:use :cl :fiveam)) (in-package :stock/tests) (def-suite :stock-suite) (in-suite :stock-suite)\n(test items (is (= 1 (stock::item))))',
    );
    await write('own.lisp', '(defpackage :own (:use :cl)) (in-package :own) (defun check () t)');
    const systems = async () =>
      (await tests.systems(randomUUID()))!.systems.toSorted((one, other) => one.name.localeCompare(other.name));
    expect(await systems()).toEqual([
      { name: 'own-way', tests: [], lists: false },
      { name: 'stock', tests: ['stock/tests'], lists: true },
    ]);
    await write('stock.asd', '(defsystem "stock" :depends-on (');
    expect(await tests.systems(randomUUID())).toMatchObject({ status: 'error', systems: [] });
    expect(session.view().pid).not.toBeNull();
  });

  it('Results are gone with their image, and no image is started for tests [D11]', async () => {
    const { tests, session } = bench.workbench;
    await session.restart();
    expect((await tests.list())?.results ?? []).toEqual([]);
    const pid = session.view().pid;
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await expect.poll(() => session.view().pid !== pid).toBe(true);
    expect((await tests.list())?.results ?? []).toEqual([]);
  });
});
