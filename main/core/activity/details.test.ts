import { afterAll, beforeAll, expect, it } from 'vitest';
import { Emitter } from '#core/base/emitter.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { ActivityDetails } from './details.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
});
afterAll(() => bench.close());

/** Returns the ids of the calls, in order. */
function calls(): string[] {
  return bench.workbench.activity.newest(1000).flatMap((event) => (event.kind === 'call-started' ? event.call : []));
}

it('The details keep what rows leave out: the whole code, its values, arguments and answers, secrets masked [D12]', async () => {
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

it('The details keep the evaluations of the person too, and forget the oldest [D12]', async () => {
  const { workbench } = bench;
  const details = new ActivityDetails(new Emitter(), 1000);
  details.began('old', 'x'.repeat(600), null);
  details.began('new', '(+ 1 2)', 'SHOP');
  expect(details.of(['old', 'new']).map(({ id }) => id)).toEqual(['new']);
  const request = { evaluation: 'person-1', code: '(+ 1 2)', package: null, origin: 'repl' as const, source: null };
  await workbench.evaluateAsPerson(request);
  expect(workbench.details.of(['person-1'])).toMatchObject([
    { code: '(+ 1 2)', package: 'COMMON-LISP-USER', values: [{ text: '3', cut: 0 }] },
  ]);
});

it('The details of many calls with short texts are bounded too, by the memory that their objects take [D12, issue 35.3]', () => {
  const details = new ActivityDetails(new Emitter(), 100_000);
  const ids = Array.from({ length: 1000 }, (_, index) => `call-${index}`);
  for (const id of ids) details.began(id, '1', null);
  expect(details.of(ids).map(({ id }) => id)).toEqual(ids.slice(-details.of(ids).length));
  expect(details.of(ids).length).toBeLessThan(101);
});
