/**
 * An approval covers exactly what its card showed, and a rule covers exactly what it names. If anything changes in between, the person is
 * asked again.
 */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();
const { approvals } = bench.workbench;

const yes = { decision: 'approved' } as const;
const no = { decision: 'denied', reason: 'No' } as const;
const missing = (name: string): Promise<void> => expect(stat(at(name))).rejects.toThrow(/ENOENT/);
const facts = (card: ApprovalCard): Record<string, string> =>
  Object.fromEntries(card.facts.known.map(({ name, value }) => [name, value]));
const scopes = (card: ApprovalCard): string[] => card.scopes.map(({ id }) => id);
async function cards(count: number): Promise<ApprovalCard[]> {
  await expect.poll(() => approvals.view().waiting.length).toBe(count);
  return approvals.view().waiting;
}
const run = (program: string, args = '', more = ''): string =>
  `(sb-ext:process-exit-code (sb-ext:run-program "${program}" '(${args}) ${more}))`;

beforeEach(() => writeFile(at('victim.txt'), 'old'));

describe('approval of a changed target', () => {
  it('An approval of a target that has changed does nothing, a new card says what has changed, and the old click counts for nothing', async () => {
    const reply = client.evaluate(`(delete-file "${at('victim.txt')}")`);
    const first = await nextCard(approvals);
    expect(first.headline).toBe('Delete victim.txt (3 bytes)');
    await writeFile(at('replaced'), 'the person wrote all of this');
    await rename(at('replaced'), at('victim.txt'));
    await decideNext(approvals, yes);
    const [second] = await cards(1);
    expect(second!.headline).toBe('Delete victim.txt (28 bytes)');
    expect(second!.notice).toMatch(
      /^You approved this effect, but its target changed before it ran, so it was not done: .*size was 3, is 28/,
    );
    expect((await approvals.decide(first.id, first.fingerprint, yes)).accepted).toBe(false);
    await decideNext(approvals, no);
    expect(await reply).toMatch(/EFFECT-DENIED/);
    expect(await readFile(at('victim.txt'), 'utf8')).toBe('the person wrote all of this');
    const outcomes = bench.workbench.activity
      .newest(50)
      .flatMap((event) => (event.kind === 'effect' && event.target === at('victim.txt') ? [event.outcome] : []));
    expect(outcomes.toSorted()).toEqual(['changed', 'denied']);
  });

  it('Each thread of a card whose file has changed is asked about again, and none of them hangs', async () => {
    for (const name of ['t0', 't1', 't2']) await writeFile(at(name), 'old');
    const reply = client.evaluate(
      `(mapcar #'sb-thread:join-thread
         (loop for i below 3 collect
           (let ((i i)) (sb-thread:make-thread (lambda () (delete-file (format nil "${at('t')}~D" i)) i)))))`,
    );
    await expect.poll(() => approvals.view().waiting[0]?.effect?.targets.length).toBe(3);
    await writeFile(at('t1'), 'something else');
    await decideNext(approvals, yes);
    const [again] = await cards(1);
    expect(again!.effect!.targets.map(({ text }) => text)).toEqual([at('t1')]);
    await stat(at('t1'));
    await decideNext(approvals, yes);
    expect(await reply).toBe('=> (0 1 2)');
    for (const name of ['t0', 't1', 't2']) await missing(name);
  });

  it('An approval of a run of a script is for the script as it was', async () => {
    await writeFile(at('s.sh'), 'exit 0');
    const reply = client.evaluate(run('/bin/sh', `"${at('s.sh')}"`));
    await nextCard(approvals);
    await writeFile(at('s.sh'), `touch ${at('ran')}`);
    await decideNext(approvals, yes);
    expect((await cards(1))[0]!.notice).toMatch(/s\.sh SHA-256 was \w+, is \w+/);
    await decideNext(approvals, no);
    await reply;
    await missing('ran');
  });
});

describe('rules that a card offers', () => {
  it('A rule for a program is for it, its arguments, its scripts and where it runs as they are', async () => {
    await writeFile(at('rule.sh'), 'exit 3');
    const code = run('/bin/sh', `"${at('rule.sh')}"`);
    const reply = client.evaluate(code);
    const card = await nextCard(approvals);
    expect(scopes(card)).toEqual(['target']);
    expect(card.scopes[0]!.label).toMatch(/program SHA-256 [0-9a-f]{64}.*rule\.sh SHA-256 [0-9a-f]{64}/);
    await decideNext(approvals, { ...yes, remember: 'target' });
    expect(await reply).toBe('=> 3');
    expect(await client.evaluate(code)).toBe('=> 3');
    await writeFile(at('rule.sh'), `touch ${at('ruled')}`);
    const changed = client.evaluate(code);
    await decideNext(approvals, no);
    expect(await changed).toMatch(/EFFECT-DENIED/);
    await missing('ruled');
  });

  it.each([
    ['the code itself gives the input', () => run('/bin/sh', '', ':input (make-string-input-stream "exit 3")')],
    ['a shell is given text, which may lead to any script', () => run('/bin/sh', '"-c" "cd /tmp; sh s.sh"')],
    ['the code writes the input while it runs', () => run('/bin/cat', '', ':input :stream :wait nil')],
    [
      'the script lies where code writes unasked',
      () =>
        `(let ((file (namestring (merge-pathnames "s.sh" (uiop:temporary-directory)))))
           (with-open-file (s file :direction :output :if-exists :supersede) (write-line "exit 0" s))
           (sb-ext:run-program "/bin/sh" (list file)))`,
    ],
    ['the program is a copy of the image, which has no digest', () => '(progn (require :sb-posix) (sb-posix:fork))'],
    ['the target goes by a number', () => '(progn (require :sb-posix) (sb-posix:kill 1 0))'],
  ])('A card offers no rule where %s', async (_why, code) => {
    const reply = client.evaluate(code());
    expect(scopes(await nextCard(approvals))).toEqual([]);
    await decideNext(approvals, no);
    await reply;
  });

  it('A card offers no rule in a folder that code may write anyway', async () => {
    await bench.workbench.changeSettings({ writableFolders: ['out'] });
    await client.evaluate(
      `(progn (ensure-directories-exist "${at('out/')}") (with-open-file (s "${at('out/a')}" :direction :output) (print 1 s)))`,
    );
    const reply = client.evaluate(`(delete-file "${at('out/a')}")`);
    expect(scopes(await nextCard(approvals))).toEqual([]);
    await decideNext(approvals, no);
    await reply;
    await bench.workbench.changeSettings({ writableFolders: [] });
  });

  it('A rule for new modes of a file is for that mode alone', async () => {
    const code = (mode: string): string =>
      `(progn (require :sb-posix) (sb-posix:chmod "${at('victim.txt')}" #o${mode}))`;
    const reply = client.evaluate(code('600'));
    expect((await nextCard(approvals)).scopes[0]!.label).toContain('(mode, new mode 600)');
    await decideNext(approvals, { ...yes, remember: 'target' });
    await reply;
    const other = client.evaluate(code('4777'));
    await decideNext(approvals, no);
    expect(await other).toMatch(/EFFECT-DENIED/);
  });
});

describe('what one card covers', () => {
  it('Effects that differ in what decides them, such as the environment, have cards of their own', async () => {
    const reply = client.evaluate(
      `(mapc (lambda (each) (sb-thread:join-thread each :default nil))
         (loop for environment in '(nil ("LD_PRELOAD=/tmp/evil.so")) collect
           (let ((environment environment))
             (sb-thread:make-thread (lambda () (sb-ext:run-program "/bin/true" '() :environment environment))))))`,
    );
    const both = await cards(2);
    expect(new Set(both.map((card) => facts(card)['environment']))).toEqual(
      new Set([undefined, 'LD_PRELOAD=/tmp/evil.so']),
    );
    approvals.denyAllOf('client:codex', 'No');
    await reply;
  });

  it('A long environment is shown whole, and one that is longer than can be shown is denied', async () => {
    const code = (length: number): string =>
      `(sb-ext:run-program "/bin/true" '() :environment (list (format nil "PAD=~A" (make-string ${length} :initial-element #\\x)) "LD_PRELOAD=/tmp/evil.so"))`;
    const reply = client.evaluate(code(3000));
    expect(facts(await nextCard(approvals))['environment']).toMatch(/LD_PRELOAD=\/tmp\/evil\.so$/);
    await decideNext(approvals, no);
    await reply;
    expect(await client.evaluate(code(30_000))).toMatch(/EFFECT-DENIED[^]*Its environment is too long to be shown/);
  });
});

describe('systems made in the image', () => {
  it("A system that code made in the image has no load to agree to: what the agent's code in it does is asked about as such", async () => {
    const reply = client.evaluate(
      `(progn
         (asdf:defsystem "made-up" :perform (asdf:load-op (o c)
           (with-open-file (s "${at('cache.txt')}" :direction :output) (print 1 s))
           (sb-ext:run-program "/bin/touch" '("${at('touched')}"))
           :performed))
         (asdf:load-system "made-up"))`,
    );
    const card = await nextCard(approvals);
    expect(card.headline).toBe('Create the file cache.txt');
    await decideNext(approvals, { decision: 'approved' });
    const [program] = await cards(1);
    expect(program!.headline).toMatch(/^Run \/bin\/touch/);
    await stat(at('cache.txt'));
    await decideNext(approvals, no);
    await reply;
    await missing('touched');
  });
});
