import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheWithout } from '#core/lisp/core.fixture.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let cache: string;
let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  cache = await cacheWithout(['SB-SPROF:', 'SB-INTROSPECT:WHO-CALLS', 'SB-IMPL:*SCHEDULER-LOCK*']);
  bench = await openTestWorkbench({ cache, shared: true });
  await bench.workbench.trustProject();
  client = await bench.connect();
}, 120_000);

afterAll(async () => {
  await bench.close();
  await rm(cache, { recursive: true });
});

describe('SBCL that lacks what profiling, cross references and checkpoints need', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'profile-code',
      { code: '(+ 1 2)' },
      /^Tool error: SBCL \S+ lacks SB-SPROF:START-PROFILING, .* needed for profiling\. Everything else works\.$/,
    ],
    [
      'who-calls',
      { function: 'car' },
      /^Tool error: SBCL \S+ lacks SB-INTROSPECT:WHO-CALLS, needed for who-calls and other cross references\. Everything else works\.$/,
    ],
    ['checkpoint', {}, /lacks SB-IMPL:\*SCHEDULER-LOCK\*, needed for checkpoints\./],
  ])('The tool %s says what this SBCL lacks', async (tool, args, message) => {
    expect(await client.call(tool, args)).toMatchObject({ isError: true, text: expect.stringMatching(message) });
  });

  it('Everything else works with an SBCL that lacks something', async () => {
    expect(await client.evaluate('(defun twice (x) (* 2 x)) (twice 21)')).toContain('42');
    const found = await client.call('find-definition', { symbol: 'twice' });
    expect(found).toMatchObject({ isError: false, text: expect.stringContaining('TWICE') });
  });

  it('The tool list-sessions and the state that the window shows tell from the start what this SBCL lacks', async () => {
    const { text } = await client.call('list-sessions');
    expect(text).toContain(
      '\nDoes not work with this SBCL: who-calls and other cross references (SBCL lacks SB-INTROSPECT:WHO-CALLS).\n',
    );
    expect(bench.workbench.sessions.main.view().lacking).toMatchObject([
      { feature: 'checkpoints', names: ['SB-IMPL:*SCHEDULER-LOCK*'] },
      { feature: 'who-calls and other cross references', names: ['SB-INTROSPECT:WHO-CALLS'] },
      { feature: 'profiling' },
    ]);
  });
});
