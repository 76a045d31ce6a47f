import { randomUUID } from 'node:crypto';
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
