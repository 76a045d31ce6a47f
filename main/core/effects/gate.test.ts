import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { older } from '#core/transports/mcp/older.fixture.ts';
import { callOf } from '#core/tools/checked-call.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { engineSymbol } from '#core/lisp/image.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();

const write = (name: string, more = ''): string =>
  `(with-open-file (s "${at(name)}" :direction :output :if-exists :supersede) (write-string "written" s) ${more})`;

beforeEach(() => writeFile(at('kept.txt'), 'the person wrote this'));

const yes = { decision: 'approved' } as const;

describe('card at the moment of the effect', () => {
  it('The card of an effect shows the real values, the frames of the agent, and what the evaluation did before [G2]', async () => {
    await client.evaluate(`(defun clean (file) (list (delete-file file)))`);
    const reply = client.evaluate(`(progn ${write('new.txt')} (clean "${at('kept.txt')}") :done)`);
    const first = await nextCard(bench.workbench.approvals);
    expect(first).toMatchObject({ headline: 'Create the file new.txt', tool: 'OPEN', level: 'dangerous' });
    await decideNext(bench.workbench.approvals, yes);
    await expect.poll(() => bench.workbench.approvals.view().waiting[0]?.tool).toBe('DELETE-FILE');
    const card = await nextCard(bench.workbench.approvals);
    expect(card.headline).toBe('Delete kept.txt (21 bytes)');
    expect(card.effect).toMatchObject({
      targets: [{ text: at('kept.txt') }],
      before: [`write ${at('new.txt')}: proceeded`],
      beforeCount: 1,
    });
    expect(card.choices.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['use-path', 'abort']));
    expect(card.effect!.frames[0]!.call).toMatch(/^\(CLEAN /);
    expect(card.facts.known).toContainEqual({ name: 'size', value: '21', place: 'target' });
    await decideNext(bench.workbench.approvals, yes);
    expect(await reply).toBe('=> :DONE');
    await expect(stat(at('kept.txt'))).rejects.toThrow(/ENOENT/);
    expect(await readFile(at('new.txt'), 'utf8')).toBe('written');
  });

  it('A card is no longer in the way of the person, whose own effects nobody asks about [G2]', async () => {
    const reply = client.evaluate(write('later.txt'));
    await nextCard(bench.workbench.approvals);
    const { workbench } = bench;
    expect(workbench.session.view().state).toBe('waiting-for-approval');
    const report = await workbench.evaluateAsPerson({
      evaluation: 'the person 1',
      code: `(progn ${write('mine.txt')} (+ 1 2))`,
      package: null,
      origin: 'repl',
      source: null,
    });
    expect(report.values[0]!.text).toBe('3');
    expect(await readFile(at('mine.txt'), 'utf8')).toBe('written');
    await decideNext(workbench.approvals, yes);
    await reply;
  });
});

describe('choices on the card of an effect', () => {
  it('A denial signals LISP-WORKBENCH:EFFECT-DENIED to the code, with the reason [G3, decision 28]', async () => {
    const reply = client.evaluate(`(delete-file "${at('kept.txt')}")`);
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'I need it' });
    expect(await reply).toMatch(
      new RegExp(
        String.raw`^\[ERROR\] LISP-WORKBENCH:EFFECT-DENIED\nDenied: DELETE-FILE ${at('kept.txt')}\. I need it\. Do not try another way\.`,
      ),
    );
    expect(await readFile(at('kept.txt'), 'utf8')).toBe('the person wrote this');
  });

  it('Another path inside the project takes the place of the asked one, and a path outside is refused [G3]', async () => {
    const reply = client.evaluate(write('asked.txt'));
    const { approvals } = bench.workbench;
    expect(await decideNext(approvals, { decision: 'approved', path: '/etc/passwd' })).toMatchObject({
      reason: 'invalid',
      message: expect.stringMatching(/outside the project/) as string,
    });
    await decideNext(approvals, { decision: 'approved', path: 'scratch.txt' });
    await reply;
    expect(await readFile(at('scratch.txt'), 'utf8')).toBe('written');
    await expect(stat(at('asked.txt'))).rejects.toThrow(/ENOENT/);
  });

  it('An abort ends the evaluation though its code catches every error [G3]', async () => {
    const reply = client.evaluate(`(loop (ignore-errors (delete-file "${at('kept.txt')}")))`);
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Enough', abort: true });
    expect(await reply).toMatch(/^\[ERROR\]/);
    expect(await client.evaluate('(+ 1 1)')).toBe('=> 2');
  });

  it('A grant for a target asks no more for it, and still asks for another target or another change of it [G3]', async () => {
    await writeFile(at('log.txt'), 'there');
    const first = client.evaluate(write('log.txt'));
    expect((await nextCard(bench.workbench.approvals)).scopes[0]!.label).toMatch(
      /^effect write for \/.*\/log\.txt \(overwrites\), until/,
    );
    await decideNext(bench.workbench.approvals, { decision: 'approved', remember: 'target' });
    await first;
    expect(await client.evaluate(`${write('log.txt')} :again`)).toBe('=> :AGAIN');
    const other = client.evaluate(write('other.txt'));
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await other).toMatch(/EFFECT-DENIED/);
    const cut = client.evaluate(`(progn (require :sb-posix) (sb-posix:truncate "${at('log.txt')}" 0))`);
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await cut).toMatch(/EFFECT-DENIED/);
    expect(await readFile(at('log.txt'), 'utf8')).toBe('written');
  });

  it('A loop of effects is one decision for the evaluation [G3]', async () => {
    const reply = client.evaluate(
      `(dotimes (i 50 :done) (with-open-file (s (format nil "${at('many')}-~D" i) :direction :output) (print i s)))`,
    );
    const card = await nextCard(bench.workbench.approvals);
    expect(card.scopes.map(({ id }) => id)).toEqual(['target', 'evaluation']);
    await decideNext(bench.workbench.approvals, { decision: 'approved', remember: 'evaluation' });
    expect(await reply).toBe('=> :DONE');
    await stat(at('many-49'));
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
    expect(bench.workbench.rules.granted).toEqual([]);
  });

  it('Threads that wait for the same effect share a card, which is drawn anew as they come [G3]', async () => {
    const { approvals } = bench.workbench;
    const reply = client.evaluate(
      `(mapcar #'sb-thread:join-thread (loop for i below 5 collect (let ((i i)) (sb-thread:make-thread (lambda () (with-open-file (s (format nil "${at('thread')}-~D" i) :direction :output) (print i s)) i)))))`,
    );
    await expect.poll(() => approvals.view().waiting[0]?.effect?.targets.length).toBe(5);
    expect(approvals.view().waiting.length).toBe(1);
    await decideNext(approvals, yes);
    expect(await reply).toBe('=> (0 1 2 3 4)');
    await stat(at('thread-4'));
  });
});

describe('targets that are too long to be shown', () => {
  it('An effect whose target is too long to be shown is denied, saying so, and has no card [G2]', async () => {
    const reply = await client.evaluate(
      `(sb-ext:run-program "/bin/echo" (list (make-string 30000 :initial-element #\\x)))`,
    );
    expect(reply).toMatch(/EFFECT-DENIED[^]*It is too long to be shown to a person, so it cannot be approved\./);
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });
});

describe('effects of a client with three cards', () => {
  it('Effects of a client that has three cards wait in line, and each is asked about in its turn [K1]', async () => {
    const { approvals, clients } = bench.workbench;
    const code = (n: number): string => `(progn ${write(`line-${n}.txt`)} ${n})`;
    const replies = Array.from({ length: 12 }, (_, n) => client.evaluate(code(n)));
    await expect.poll(() => approvals.view().inLine).toBe(9);
    expect(approvals.view().waiting.length).toBe(3);
    const { isError, text } = await client.call('write-file', { path: 'no-room.txt', content: 'x' });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/3 of your requests are already waiting for a person/),
    ]);
    const other = await bench.connect('other'); // another client has its own limit
    const beside = other.evaluate(write('beside.txt'));
    await expect.poll(() => approvals.view().waiting.length).toBe(4);
    for (let n = 0; n < 13; n += 1) {
      await decideNext(approvals, yes);
      expect(approvals.view().waiting.length).toBeLessThanOrEqual(4);
    }
    await beside;
    expect((await Promise.all(replies)).toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `=> ${n}`).toSorted());
    await stat(at('line-11.txt'));
    expect(approvals.view()).toMatchObject({ waiting: [], inLine: 0 });
    await clients.revoke('client:other');
  });

  it('Effects in line are over when their client is stopped [K1]', async () => {
    const { approvals, clients } = bench.workbench;
    const codes = [1, 2, 3, 4, 5].map((n) => write(`stop-${n}.txt`));
    const replies = codes.map((code) => client.evaluate(code));
    await expect.poll(() => approvals.view().inLine).toBe(2);
    await clients.change({ id: 'client:codex', paused: true });
    await Promise.all(replies);
    expect(approvals.view()).toMatchObject({ waiting: [], inLine: 0 });
    for (const n of [1, 2, 3, 4, 5]) await expect(stat(at(`stop-${n}.txt`))).rejects.toThrow(/ENOENT/);
  });
});

describe('system that reaches outside while it is loaded', () => {
  const system = async (name: string): Promise<void> => {
    await mkdir(at(name));
    await writeFile(path.join(at(name), `${name}.asd`), `(defsystem "${name}" :components ((:file "code")))`);
    const forms = [1, 2, 3].map(
      (n) => `(with-open-file (s "${at(`${name}-${n}`)}" :direction :output) (print ${n} s))`,
    );
    await writeFile(path.join(at(name), 'code.lisp'), [...forms, '(sb-posix:setenv "LWB_SYSTEM" "1" 1)'].join('\n'));
  };

  it('A system that reaches outside while it is loaded has one card that names it, and one yes is for all of that load', async () => {
    await system('friendly');
    const reply = client.call('load-system', { system: 'friendly' });
    const card = await nextCard(bench.workbench.approvals);
    expect(card.headline).toBe(
      'System friendly wants to create the file friendly-1, and may do more while it is loaded',
    );
    await decideNext(bench.workbench.approvals, yes);
    expect((await reply).text).toMatch(/Loaded: friendly/);
    for (const n of [1, 2, 3]) await stat(at(`friendly-${n}`));
    expect(bench.workbench.approvals.view().decided.filter(({ headline }) => /friendly/.test(headline)).length).toBe(1);
    // The next load causes another request.
    await client.evaluate('(asdf:clear-system "friendly")');
    const again = client.call('load-system', { system: 'friendly' });
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Not again.' });
    expect((await again).text).toMatch(/Not again/);
  });

  it('One no is for all effects of a load, whatever its code catches', async () => {
    await system('stubborn');
    const file = path.join(at('stubborn'), 'code.lisp');
    await writeFile(
      file,
      `(dotimes (i 20) (ignore-errors (open (format nil "${at('stubborn')}-~D" i) :direction :output)))`,
    );
    const reply = client.call('load-system', { system: 'stubborn' });
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'No files.' });
    await reply;
    expect(bench.workbench.approvals.view().decided.filter(({ headline }) => /stubborn/.test(headline)).length).toBe(1);
    await expect(stat(at('stubborn-7'))).rejects.toThrow(/ENOENT/);
  });
});

describe('call whose code waits longer than its client can', () => {
  it('A call whose code waits too long is answered with a handle, goes on, joins the same call sent again, and ends once [K4, decision 26]', async () => {
    const { workbench } = bench;
    const actor = workbench.clients.actor('client:codex');
    const held = async (id: string, name: string, args: Record<string, unknown>, approvalTimeoutMs = 30) => {
      const options = { actor, connectionId: 'held', approvalTimeoutMs };
      return (await workbench.transportHost.call(callOf(id, name, args), options)).result;
    };
    const code = `(progn (defvar *runs* 0) (incf *runs*) ${write('held.txt')} *runs*)`;
    const told: string[] = [];
    const stop = workbench.events.on('agent-evaluated', ({ report }) => told.push(report.status));
    const first = await held('call one', 'evaluate_lisp', { code });
    expect(first).toMatchObject({
      success: true,
      content: expect.stringMatching(
        /^Waiting for approval: your code is waiting inside OPEN .*held\.txt until/,
      ) as string,
      metadata: { status: 'pending_approval', approval_id: 'call one', approved: false },
    });
    expect((await held('call two', 'evaluate_lisp', { code })).metadata.approval_id).toBe('call one');
    expect(await held('call three', 'await_approval', { approval_id: 'call one' })).toMatchObject({
      content: expect.stringMatching(
        /^Waiting for approval: your code is waiting inside OPEN .*held\.txt until/,
      ) as string,
      metadata: { status: 'pending_approval' },
    });
    expect(await held('call four', 'evaluate_lisp', { code: '(+ 1 1)' }, 5000)).toMatchObject({ content: '=> 2' });
    await decideNext(workbench.approvals, yes);
    expect(await held('call five', 'await_approval', { approval_id: 'call one' }, 5000)).toMatchObject({
      content: '=> 1',
      metadata: { status: 'done', approved: true },
    });
    expect(told).toEqual(['ok', 'ok']);
    stop();
    expect(await held('call six', 'evaluate_lisp', { code: '*runs*' }, 5000)).toMatchObject({ content: '=> 1' });
    expect(await readFile(at('held.txt'), 'utf8')).toBe('written');
  });
});

describe('effect that a rule decides', () => {
  it("An effect that a rule decides never makes its call wait, however short its client's response timeout is [G4]", async () => {
    const { workbench } = bench;
    await workbench.changeSettings({ writableFolders: ['free'] });
    await mkdir(at('free'));
    const actor = workbench.clients.actor('client:codex');
    const codes = [write('free/b.txt'), `(open "${bench.home}/x" :direction :output)`];
    for (const code of codes) {
      const call = callOf(`at once ${code}`, 'evaluate_lisp', { code });
      const {
        result: { metadata },
      } = await workbench.transportHost.call(call, {
        actor,
        connectionId: 'at once',
        approvalTimeoutMs: 0,
      });
      expect(metadata.status).not.toBe('pending_approval');
    }
    await workbench.changeSettings({ writableFolders: [] });
  });
});

describe('effects without a waiter', () => {
  it('An effect is withdrawn when the client gives up [K4]', async () => {
    const control = new AbortController();
    const call = client.client.callTool({ name: 'evaluate-lisp', arguments: { code: write('gone.txt') } }, undefined, {
      signal: control.signal,
    });
    await nextCard(bench.workbench.approvals);
    control.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(() => bench.workbench.approvals.view().waiting).toEqual([]);
    expect(bench.workbench.approvals.view().decided[0]).toMatchObject({ by: 'the workbench', decision: 'denied' });
    await expect(stat(at('gone.txt'))).rejects.toThrow(/ENOENT/);
  });

  it('A card stays with a mark when its client is gone without a word, until that client sends the call again [K4]', async () => {
    const { approvals, session } = bench.workbench;
    const tester = await bench.connect();
    const code = `(progn ${write('left.txt')} ${write('also-left.txt')} :done)`;
    const dropped = (await older(bench)).send('tools/call', { name: 'evaluate-lisp', arguments: { code } });
    await nextCard(approvals);
    dropped.drop();
    await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(true);
    const card = approvals.view().waiting[0]!;
    expect(card.notice).toBe('tester stopped waiting. Run anyway?');
    expect(session.view().suspended.length).toBe(1);
    // No client is waiting for the next effect of the same code either.
    await decideNext(approvals, yes);
    await expect.poll(() => approvals.view().waiting[0]?.headline).toBe('Create the file also-left.txt');
    expect(approvals.view().waiting[0]).toMatchObject({ abandoned: true });
    const again = tester.call('evaluate-lisp', { code });
    await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(false);
    expect(session.view().suspended.length).toBe(1); // the code was not started a second time
    await decideNext(approvals, yes);
    expect((await again).text).toMatch(/^=> :DONE/);
  });

  it('A card has the mark when its client was answered with a handle and then left altogether [K4]', async () => {
    const { approvals } = bench.workbench;
    const { token } = await bench.workbench.clients.mint('leaver');
    const session = await older(bench, token);
    const call = callOf('left 1', 'evaluate_lisp', { code: write('handle.txt') });
    const actor = bench.workbench.clients.actor('client:leaver');
    const options = { actor, connectionId: 'left', approvalTimeoutMs: 0 };
    expect((await bench.workbench.transportHost.call(call, options)).result.metadata.status).toBe('pending_approval');
    expect(approvals.view().waiting[0]?.abandoned).toBe(false);
    await session.end();
    await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(true);
    await decideNext(approvals, { decision: 'denied', reason: 'The test is over.' });
  });

  it('An effect is denied at the deadline and unwound, and the reply lists what had happened [G5]', async () => {
    const { workbench } = bench;
    await workbench.changeSettings({ approvalMinutes: 0.05 });
    const reply = client.evaluate(
      `(progn (sb-posix:setenv "LWB_TEST" "1" 1) (unwind-protect (delete-file "${at('kept.txt')}") (print :unwound)))`,
    );
    await decideNext(workbench.approvals, yes);
    const text = await reply;
    await workbench.changeSettings({ approvalMinutes: 5 });
    expect(text).toMatch(/:UNWOUND[^]*Denied: DELETE-FILE [^]*The person did not decide within 3 seconds/);
    expect(text).toMatch(/\[effects\]\nenvironment LWB_TEST=1: proceeded\ndelete .*kept\.txt: denied$/);
  });
});

describe('effects decided without a card', () => {
  it('A folder that the person lets agents write allows writing and nothing else [G4, G6]', async () => {
    const { workbench } = bench;
    await workbench.changeSettings({ writableFolders: ['out'] });
    expect(
      await client.evaluate(`(progn (ensure-directories-exist "${at('out/deep/')}") ${write('out/deep/a.txt')} :ok)`),
    ).toBe('=> :OK');
    const dotted = client.evaluate(write('out/.hidden'));
    await decideNext(workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await dotted).toMatch(/EFFECT-DENIED/);
    await workbench.changeSettings({ writableFolders: [] });
  });

  it("The workbench's own files are never asked about but denied [K2, G4, G6]", async () => {
    const { home } = bench;
    expect(await client.evaluate(`(open "${home}/clients.json" :direction :output)`)).toMatch(
      /EFFECT-DENIED[^]*own-files/,
    );
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('Every effect is a fact of the activity stream with its decision and rule [G4, G6]', async () => {
    const { activity } = bench.workbench;
    const reply = client.evaluate(write('told.txt'));
    await decideNext(bench.workbench.approvals, yes);
    await reply;
    const [told] = activity.newest(50).filter((event) => event.kind === 'effect' && event.target === at('told.txt'));
    expect(told).toMatchObject({
      effect: 'write',
      operator: 'OPEN',
      outcome: 'proceeded',
      rule: 'you approved it',
      actor: { name: 'codex' },
    });
  });
});

describe('code that works against the guard', () => {
  const redefining = (name: string): string => `(setf (fdefinition ${engineSymbol(name)}) (lambda (&rest all) all t))`;
  const deletes = (who: { evaluate: (code: string) => Promise<string> }): Promise<string> =>
    who.evaluate(`(delete-file "${at('kept.txt')}")`);

  it.each([
    ['takes an encapsulation off', `(progn (sb-int:unencapsulate 'delete-file 'lisp-workbench) t)`, /T/],
    ...['*GUARD*', '*MAY-WAIT*', '*OWN-FOLDERS*'].map((name): [string, string, RegExp] => [
      `looks for ${name}`,
      `(setf (symbol-value (intern "${name}" "LISP-WORKBENCH/EVALUATION")) nil)`,
      /lock/i,
    ]),
    ...['*GATES*', '*CACHE*', '*TEMPORARY-FOLDER*', '*TEMPORARY-BASE*', '*UNDER-WAY*'].map(
      (name): [string, string, RegExp] => [
        `looks for ${name}`,
        `(setf (symbol-value (intern "${name}" "LISP-WORKBENCH/EFFECTS")) nil)`,
        /lock/i,
      ],
    ),
    ['redefines a function of the guard', redefining('CALL-AT-GATE'), /lock/i],
  ])('Code that works against the guard has nothing to take where it %s [case 36]', async (_name, code, answer) => {
    const { workbench } = bench;
    const rogue = await bench.connect('rogue');
    expect(await rogue.evaluate(code)).toMatch(answer);
    const reply = deletes(rogue);
    await decideNext(workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await reply).toMatch(/EFFECT-DENIED/);
    // A client is also paused after three refusals in a row. Only pauses because of the guard matter here.
    expect(workbench.clients.standing('client:rogue').paused ?? '').not.toMatch(/guard/);
    await workbench.clients.change({ id: 'client:rogue', paused: false });
  });

  it.each([
    [
      'digs the function out of which the guard stands around',
      `(let* ((code (sb-kernel:fun-code-header #'delete-file))
              (real (loop for i from sb-vm:code-constants-offset below (sb-kernel:code-header-words code)
                          for each = (sb-kernel:code-header-ref code i)
                          when (and (functionp each) (eq (sb-kernel:%fun-name each) 'delete-file)) return each)))
         (sb-ext:without-package-locks (setf (fdefinition 'delete-file) real)))`,
      /DELETE-FILE/,
    ],
    ...['CALL-AT-GATE', 'HARMLESS-P', 'ALLOWED-P', 'ASK', 'SAME-EFFECT-P'].map((name): [string, string, RegExp] => [
      `unlocks the package and redefines ${name} of the guard itself`,
      `(sb-ext:without-package-locks ${redefining(name)})`,
      new RegExp(name),
    ]),
  ])('Code that %s is noticed, its client paused, and the guard put back [case 36]', async (_name, code, what) => {
    const { workbench } = bench;
    const rogue = await bench.connect('rogue');
    await rogue.evaluate(code);
    await expect.poll(() => workbench.clients.standing('client:rogue').paused ?? '').toMatch(what);
    expect((await rogue.call('describe-symbol', { symbol: 'car' })).text).toMatch(/removed the guard/);
    const reply = deletes(client);
    await decideNext(workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await reply).toMatch(/EFFECT-DENIED/);
    await workbench.clients.change({ id: 'client:rogue', paused: false });
  });
});
