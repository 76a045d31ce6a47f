/** A grant is for what the card showed: what looks like it and is another thing is asked about. */
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { decideNext, nextCard } from './decide.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null });
  client = await bench.connect('codex');
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(() => bench.close());

afterEach(async () => {
  const { approvals, clients, rules } = bench.workbench;
  approvals.denyAllOf('client:codex', 'The test is over.');
  rules.revoke(null);
  await clients.change({ id: 'client:codex', paused: false });
});

const at = (name: string): string => path.join(bench.project, name);
const grant = { decision: 'approved', remember: 'target' } as const;
const no = { decision: 'denied', reason: 'No' } as const;

describe('G3 always for this target', () => {
  const pwd = (more: string): string => `(sb-ext:run-program "/bin/pwd" '() :output *standard-output* ${more})`;

  it.each([
    ['in another folder', ':directory "/"'],
    ['with another environment', `:environment '("LD_PRELOAD=/tmp/other.so")`],
    ['with its output in a file', ':output #p"/tmp/other.txt"'],
  ])('is not for the same command line %s', async (_name, more) => {
    const first = client.evaluate(pwd(':directory "/tmp/"'));
    await decideNext(bench.workbench.approvals, grant);
    expect(await first).toMatch(/^\[stdout\]/);
    expect(await client.evaluate(pwd(':directory "/tmp/"'))).toMatch(/^\[stdout\]/);
    const other = client.evaluate(
      `(progn ${more.startsWith(':output') ? pwd('').replace(':output *standard-output*', more) : pwd(more)})`,
    );
    await decideNext(bench.workbench.approvals, no);
    expect(await other).toMatch(/EFFECT-DENIED/);
  });

  it('is not for another mode of the same file', async () => {
    await writeFile(at('mode.txt'), 'x', { mode: 0o600 });
    const chmod = (mode: string): Promise<string> => client.evaluate(`(sb-posix:chmod "${at('mode.txt')}" #o${mode})`);
    const first = chmod('644');
    await decideNext(bench.workbench.approvals, grant);
    await first;
    expect(await chmod('644')).toBe('=> 0');
    const other = chmod('777');
    await decideNext(bench.workbench.approvals, no);
    await other;
    expect((await stat(at('mode.txt'))).mode & 0o777).toBe(0o644);
  });

  it('is not for moving the same file to another place', async () => {
    await writeFile(at('from.txt'), 'x');
    const move = (to: string) => client.call('move-file', { path: 'from.txt', to });
    const first = move('to.txt');
    await decideNext(bench.workbench.approvals, grant);
    await first;
    await writeFile(at('from.txt'), 'x');
    const other = move('elsewhere.txt');
    expect((await nextCard(bench.workbench.approvals)).headline).toBe('Move from.txt to elsewhere.txt');
    await decideNext(bench.workbench.approvals, no);
    expect(await other).toMatchObject({ isError: true });
  });
});
