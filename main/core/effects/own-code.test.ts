/** The person's own effects, which also wait while an agent's evaluation is not accepted, if the person has turned this setting on. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;
const { session } = workbench;

const { asPerson } = bench;
const effect = () => `(list (delete-file "${at('kept.txt')}"))`;
const lost = () => !existsSync(at('kept.txt'));

afterEach(() => workbench.approvals.denyAllOf(PERSON.id, 'The test is over.'));

beforeEach(async () => {
  await writeFile(at('kept.txt'), 'the person wrote this');
  await session.changes.choose(true);
  await session.changes.accept(Number.MAX_SAFE_INTEGER);
});

/** Evaluates code as the person, waits for the card, and denies it. */
async function asks(code: string): Promise<void> {
  const report = asPerson(code);
  const { facts, actor } = await nextCard(workbench.approvals);
  expect(actor.kind).toBe('person');
  expect(facts.known.find(({ name }) => name === 'code')?.value).toBe('your own');
  await decideNext(workbench.approvals, { decision: 'denied', reason: 'Not now' });
  expect((await report).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
  expect(lost()).toBe(false);
}

describe('asking while an agent’s change is unreviewed', () => {
  it('Data of an agent that the person evaluates asks, though nobody follows it [issue 34.3]', async () => {
    await client.evaluate(`(defvar *form* '${effect()})`);
    expect(session.view()).toMatchObject({ asksPerson: true, unreviewed: true });
    await asks('(eval *form*)');
    await asks(effect());
  });

  it('Without a change of an agent the person’s own code runs unasked [issue 34.3]', async () => {
    expect(session.view().unreviewed).toBe(false);
    await asPerson(effect());
    expect(lost()).toBe(true);
  });

  it('A yes until an agent changes something holds exactly so long [issue 34.3]', async () => {
    await client.evaluate('(setf (get (quote made) (quote by)) 1)');
    const report = asPerson(effect());
    const { scopes, facts } = await nextCard(workbench.approvals);
    expect(scopes.map(({ id }) => id)).toEqual(['unreviewed']);
    expect(facts.known.find(({ name }) => name === 'agents evaluated')?.value).toBe(
      'codex: (setf (get (quote made) (quote by)) 1)',
    );
    await decideNext(workbench.approvals, { decision: 'approved', remember: 'unreviewed' });
    await report;
    expect(lost()).toBe(true);
    await writeFile(at('kept.txt'), 'again');
    await asPerson(effect());
    expect(lost()).toBe(true);
    expect(session.view().unreviewed).toBe(false);
    await writeFile(at('kept.txt'), 'and again');
    await client.evaluate('(+ 1 1)');
    await asks(effect());
  });

  it('What the person has another thread do in between is denied, since nobody can be asked there [issue 34.2]', async () => {
    await client.evaluate('(+ 1 1)');
    const sent = await asPerson(`(let ((done (sb-thread:make-semaphore)) (reason nil))
      (sb-thread:interrupt-thread (sb-thread:main-thread)
                                  (lambda ()
                                    (handler-case ${effect()} (error (c) (setf reason (princ-to-string c))))
                                    (sb-thread:signal-semaphore done)))
      (sb-thread:wait-on-semaphore done)
      reason)`);
    expect(sent.values?.map(({ text }) => text).join('')).toContain(
      'This code runs where no approval can be requested',
    );
    expect(lost()).toBe(false);
  });

  it('What an agent evaluates while a card waits is not accepted with it [issue 34.3]', async () => {
    await client.evaluate('(defvar *one* 1)');
    const report = asPerson(effect());
    await nextCard(workbench.approvals);
    await client.evaluate('(defvar *two* 2)');
    await decideNext(workbench.approvals, { decision: 'approved', remember: 'unreviewed' });
    await report;
    expect(lost()).toBe(true);
    await writeFile(at('kept.txt'), 'again');
    await asks(effect());
  });

  it.each([
    ['a thread', (form: string) => `(sb-thread:join-thread (sb-thread:make-thread (lambda () ${form})) :default nil)`],
    ['a timer', (form: string) => `(sb-ext:schedule-timer (sb-ext:make-timer (lambda () ${form}) :thread t) 0)`],
    ['a compiled function', (form: string) => `(funcall (compile nil '(lambda () ${form})))`],
    ['a macro while it is expanded', (form: string) => `(macrolet ((now () ${form})) (now))`],
    ['the reader', (form: string) => `'#.${form}`],
  ])('The person’s own code asks in %s too [issue 34.3]', async (_where, wrapped) => {
    await client.evaluate('(defvar *three* 3)');
    const report = asPerson(wrapped(effect()));
    expect((await nextCard(workbench.approvals)).actor.kind).toBe('person');
    await decideNext(workbench.approvals, { decision: 'denied', reason: 'Not now' });
    await report;
    expect(lost()).toBe(false);
  });

  it('Compiling and temporary files of the person ask nothing [issue 34.3]', async () => {
    await client.evaluate('(defvar *four* 4)');
    await writeFile(at('own.lisp'), '(defun own () 1)');
    const report = await asPerson(
      `(progn (load (compile-file "${at('own.lisp')}" :output-file (merge-pathnames "own.fasl" (lisp-workbench:temporary-directory))))
              (uiop:with-temporary-file (:stream s) (print 1 s)) (own))`,
    );
    expect(report.values?.[0]?.text).toBe('1');
  });

  it('A checkpoint and a new image keep what holds [issue 34.3]', async () => {
    await client.evaluate('(defvar *five* 5)');
    await asks(effect());
    const back = new Promise<void>((resolve) => {
      session.events.on('lifecycle', ({ change }) => (change === 'rewound' ? resolve() : undefined));
    });
    process.kill(session.view().pid!, 'SIGKILL');
    await back;
    await asks(effect());
    await session.restart();
    expect(session.view()).toMatchObject({ asksPerson: true, unreviewed: false });
    await asPerson(effect());
    expect(lost()).toBe(true);
  });
});
