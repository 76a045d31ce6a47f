/** Lisply clients cannot fetch an answer later, so each request is answered only when its code has ended. */
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, at } = await asking();

function evaluate(code: string, signal?: AbortSignal): Promise<Response> {
  return bench.fetch('/lisply/lisp-eval', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    ...(signal ? { signal } : {}),
  });
}

const write = (name: string): string =>
  `(progn (with-open-file (s "${at(name)}" :direction :output) (write-string "written" s)) :done)`;

describe('Lisply request whose code waits for a person', () => {
  it('A Lisply request is answered with the result once the person has approved', async () => {
    const answer = evaluate(write('approved.txt'));
    await decideNext(bench.workbench.approvals, { decision: 'approved' });
    expect(await (await answer).json()).toEqual({ success: true, result: ':DONE', stdout: '' });
    expect(await readFile(at('approved.txt'), 'utf8')).toBe('written');
  });

  it('A Lisply request is answered with the reason once the person has denied', async () => {
    const answer = evaluate(write('denied.txt'));
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Not this one' });
    expect(await (await answer).json()).toMatchObject({
      success: false,
      error: expect.stringContaining('Not this one') as string,
    });
  });

  it('The card of a Lisply request is withdrawn when its client has gone', async () => {
    const gone = new AbortController();
    const answer = evaluate(write('left.txt'), gone.signal).then((response) => response.text());
    await nextCard(bench.workbench.approvals);
    gone.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await expect.poll(() => bench.workbench.approvals.view().waiting).toEqual([]);
    await expect(stat(at('left.txt'))).rejects.toThrow(/ENOENT/);
  });
});

describe('Lisply request that cannot be made', () => {
  it('A Lisply request that fails before it runs is answered with the reason', async () => {
    vi.spyOn(bench.workbench.transportHost, 'call').mockRejectedValueOnce(new Error('There is no image.'));
    expect(await (await evaluate('1')).json()).toEqual({ success: false, error: 'There is no image.', stdout: '' });
    vi.restoreAllMocks();
  });
});
