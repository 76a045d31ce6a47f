/** A grant applies only to what its card showed. A request that is only similar needs another approval. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asking } from '../asking.fixture.ts';
import { decideNext, nextCard } from '../decide.fixture.ts';

const { bench, client, at } = await asking();

const grant = { decision: 'approved', remember: 'target' } as const;
const no = { decision: 'denied', reason: 'No' } as const;

describe('grants for a target', () => {
  const pwd = (more: string): string => `(sb-ext:run-program "/bin/pwd" '() :output *standard-output* ${more})`;

  it.each([
    ['in another folder', ':directory "/"'],
    ['with another environment', `:environment '("LD_PRELOAD=/tmp/other.so")`],
    ['with its output in a file', ':output #p"/tmp/other.txt"'],
  ])('A grant for a command line does not cover the same command line %s [G3]', async (_name, more) => {
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

  it("A grant to change a file's mode does not cover another mode of the same file [G3]", async () => {
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

  it('A call sent again is answered with what was done when its grant was given while the client was away [G3, case 13]', async () => {
    const { approvals } = bench.workbench;
    await writeFile(at('again.txt'), 'before');
    const args = { path: 'again.txt', content: 'the agent' };
    const away = new AbortController();
    const first = client.client.callTool({ name: 'write-file', arguments: args }, undefined, { signal: away.signal });
    await nextCard(approvals);
    away.abort();
    await expect(first).rejects.toThrow(/abort/i);
    await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(true);
    await decideNext(approvals, grant);
    await writeFile(at('again.txt'), 'the person');
    expect((await client.call('write-file', args)).text).toMatch(/^Wrote 9 bytes/);
    expect(await readFile(at('again.txt'), 'utf8')).toBe('the person');
  });

  it('A grant to move a file does not cover moving it to another place [G3]', async () => {
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
