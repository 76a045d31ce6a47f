/** An effect that waits while its code holds locks. Neither the person's code nor the agent's own code may then wait forever. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();

const write = (name: string): string =>
  `(with-open-file (s "${at(name)}" :direction :output :if-exists :supersede) (print 1 s))`;
const missing = (name: string): Promise<void> => expect(stat(at(name))).rejects.toThrow(/ENOENT/);
const asPerson = async (code: string): Promise<string | undefined> => {
  const report = await bench.workbench.evaluateAsPerson({
    evaluation: randomUUID(),
    code,
    package: null,
    origin: 'repl',
    source: null,
  });
  return report.condition?.message ?? report.values[0]?.text;
};

describe('locks during a decision', () => {
  it.each([
    ['its own', '(sb-thread:with-mutex (*log-lock*)', '(sb-thread:with-mutex (*log-lock*) :mine)'],
    [
      'of the class system',
      '(sb-c::with-world-lock ()',
      '(progn (defclass mine () ((x))) (make-instance (quote mine)) :mine)',
    ],
    ['of the packages', '(sb-impl::with-package-graph ()', '(progn (make-package (gensym)) :mine)'],
  ])('A decision is not held up by a lock of its code: %s [G2]', async (_name, holding, waiting) => {
    await client.evaluate('(defvar *log-lock* (sb-thread:make-mutex :name "log"))');
    const reply = client.evaluate(`${holding} ${write('log.txt')} :logged)`);
    await nextCard(bench.workbench.approvals);
    const mine = asPerson(waiting);
    await decideNext(bench.workbench.approvals, { decision: 'approved' });
    expect(await reply).toMatch(/=> :LOGGED/);
    expect(await mine).toBe(':MINE');
    expect(await client.evaluate('(+ 1 1)')).toBe('=> 2');
  });
});

describe('effects while no memory can be collected', () => {
  it('An effect is denied at once where no memory can be collected, so the whole image never waits for a decision [G2]', async () => {
    expect(await client.evaluate(`(sb-sys:without-gcing ${write('collected.txt')})`)).toMatch(
      /EFFECT-DENIED[^]*This code runs where no approval can be requested/,
    );
    expect(await asPerson('(progn (gc) :collected)')).toBe(':COLLECTED');
  });
});

describe('effects in hooks of the garbage collector', () => {
  it("An effect in an agent's hook of the garbage collector is denied at once also when the person's code collects [G1]", async () => {
    await client.evaluate(
      `(defun hung () (setf (get 'hung :outcome) (handler-case ${write('hung.txt')} (lisp-workbench:effect-denied () :denied))))`,
    );
    await client.evaluate(`(push 'hung sb-ext:*after-gc-hooks*)`);
    expect(await asPerson(`(progn (gc) (loop until (get 'hung :outcome)) (get 'hung :outcome))`)).toBe(':DENIED');
    await client.evaluate(`(setf sb-ext:*after-gc-hooks* (remove 'hung sb-ext:*after-gc-hooks*))`);
    await missing('hung.txt');
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });
});
