/** Code that would tire the person with requests, or hide one effect among thousands. */
import { stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();

const missing = (name: string): Promise<void> => expect(stat(at(name))).rejects.toThrow(/ENOENT/);

describe('one effect behind 10,000 lines', () => {
  it.each([
    ['of comments before it', (effect: string) => `${'; nothing to see\n'.repeat(10_000)}${effect}`],
    [
      'of code around it',
      (effect: string) => `(progn ${'(list 1 2 3)\n'.repeat(5000)}${effect} ${'(list 1)\n'.repeat(5000)})`,
    ],
    ['of output before it', (effect: string) => `(progn (dotimes (i 10000) (print i)) ${effect})`],
  ])('One effect behind 10,000 lines is the headline of its card: %s [K2, D13, case 25]', async (_where, padded) => {
    await writeFile(at('victim.txt'), 'precious');
    const reply = client.evaluate(padded(`(delete-file "${at('victim.txt')}")`));
    const card = await nextCard(bench.workbench.approvals);
    expect(card).toMatchObject({
      headline: 'Delete victim.txt (8 bytes)',
      effect: { targets: [{ text: at('victim.txt') }] },
    });
    bench.workbench.approvals.denyAllOf('client:codex', 'No.');
    expect(await reply).toContain('EFFECT-DENIED');
    await stat(at('victim.txt'));
  });
});

describe('loop of 10,000 effects', () => {
  const loop = (effect: string): string => `(dotimes (i 10000 :done) ${effect})`;
  const write = `(with-open-file (s (format nil "~A-~D" "NAME" i) :direction :output) (print i s))`;
  const writing = (name: string): string => write.replace('NAME', at(name));

  it('A loop of 10,000 effects is one card when the person agrees to all of the evaluation, and its answer is bounded [K1, G3, case 40]', async () => {
    const reply = client.call('evaluate-lisp', { code: loop('(sb-posix:setenv "LWB_MANY" "x" 1)') });
    let cards = 0;
    const stop = bench.workbench.approvals.events.on('requested', () => (cards += 1));
    await decideNext(bench.workbench.approvals, { decision: 'approved', remember: 'evaluation' });
    const { text, isError } = await reply;
    expect([isError, cards]).toEqual([false, 1]);
    expect(text.length).toBeLessThan(50_000);
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
    expect(bench.workbench.rules.granted).toEqual([]);
    stop();
  }, 180_000);

  it('A loop of 10,000 effects ends with the first denial when its code lets it [K1, G3, case 40]', async () => {
    const reply = client.evaluate(loop(writing('first')));
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await reply).toContain('EFFECT-DENIED');
    await missing('first-0');
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('A loop of 10,000 effects ends by abort when its code handles every denial [K1, G3, case 40]', async () => {
    const reply = client.evaluate(loop(`(handler-case ${writing('abort')} (error () nil))`));
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No', abort: true });
    expect(await reply).not.toContain('=> :DONE');
    await missing('abort-0');
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('A loop that handles every denial asks three times and no more: the client is paused and the rest denied [K1, G3, case 40]', async () => {
    let cards = 0;
    const stop = bench.workbench.approvals.events.on('requested', () => (cards += 1));
    const stubborn = await bench.connect('stubborn');
    const reply = stubborn.evaluate(loop(`(handler-case ${writing('stubborn')} (error () nil))`));
    for (let round = 0; round < 3; round += 1)
      await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No' });
    await reply;
    expect(cards).toBe(3);
    expect(bench.workbench.clients.standing('client:stubborn').paused).toMatch(/refused 3 times in a row/);
    await missing('stubborn-0');
    await missing('stubborn-9999');
    stop();
  }, 180_000);

  it.each([
    ['an error', '(error "over")', 50],
    ['the end of the image', '(sb-ext:exit :code 3 :abort t)', 51],
  ])(
    'A loop of effects that ends with %s is answered with 200 of them and how many more there are [K1, G3, case 40]',
    async (_how, end, more) => {
      const allowing = await openTestWorkbench();
      const asker = await allowing.connect('codex');
      const text = await asker.evaluate(`(progn (dotimes (i 250) (sb-posix:setenv "LWB_MANY" "x" 1)) ${end})`);
      expect(text.match(/^environment LWB_MANY=x: proceeded$/gm)?.length).toBe(200);
      expect(text).toMatch(new RegExp(`\n… ${more} more$`));
      await allowing.close();
    },
    60_000,
  );

  it('Effects of 300 threads are one card with all of them and their number, and one no denies all [K1, G3, case 40]', async () => {
    const { approvals } = bench.workbench;
    const reply = client.evaluate(
      `(mapc (lambda (th) (sb-thread:join-thread th :default nil))
         (loop for i below 300 collect
           (let ((i i)) (sb-thread:make-thread (lambda () (handler-case ${writing('thread')} (error () nil)))))))`,
    );
    await expect.poll(() => approvals.view().waiting[0]?.effect?.targets.length, { timeout: 30_000 }).toBe(300);
    expect(approvals.view().waiting.length).toBe(1);
    expect(approvals.view().waiting[0]!.headline).toMatch(/, and 299 more$/);
    await decideNext(approvals, { decision: 'denied', reason: 'No' });
    await reply;
    await missing('thread-0');
    await missing('thread-299');
    expect(approvals.view().waiting).toEqual([]);
  }, 180_000);
});
