import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { ActivityDetails } from './details.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
});
afterAll(() => bench.close());

/** Ids of the calls, in their order. */
function calls(): string[] {
  return bench.workbench.activity.newest(1000).flatMap((event) => (event.kind === 'call-started' ? event.call : []));
}

it('D12 keeps what rows leave out: the whole code, its values, arguments and answers, secrets masked', async () => {
  const client = await bench.connect();
  const code = `(list ${'1 '.repeat(200)})`;
  await client.evaluate(code);
  await client.call('describe-symbol', { symbol: 'car' });
  await client.evaluate('(defparameter *password* "password: hunter2hunter2")');
  const [evaluated, described, secret] = bench.workbench.details.of([...calls(), 'unknown']);
  expect(evaluated).toMatchObject({ code, package: 'COMMON-LISP-USER', values: [{ cut: expect.any(Number) }] });
  expect(described).toMatchObject({
    arguments: [{ name: 'symbol', value: 'car' }],
    code: null,
    values: null,
    result: expect.stringContaining('CAR'),
  });
  expect(secret!.arguments[0]!.value).not.toContain('hunter2');
});

it('D12 keeps the evaluations of the person too, and forgets the oldest', async () => {
  const { workbench } = bench;
  const details = new ActivityDetails(workbench.executor, 1000);
  details.began('old', 'x'.repeat(600), null);
  details.began('new', '(+ 1 2)', 'SHOP');
  expect(details.of(['old', 'new']).map(({ id }) => id)).toEqual(['new']);
  const request = { evaluation: 'person-1', code: '(+ 1 2)', package: null, origin: 'repl' as const, source: null };
  await workbench.evaluateAsPerson(request);
  expect(workbench.details.of(['person-1'])).toMatchObject([
    { code: '(+ 1 2)', package: 'COMMON-LISP-USER', values: [{ text: '3', cut: 0 }] },
  ]);
});
