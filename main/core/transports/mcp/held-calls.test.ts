/**
 * Calls that run code in the debugger of a suspended error, and calls that a person has approved. Like other calls, they are answered with
 * a handle if they take long.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type Reply, type TestWorkbench } from '#core/workbench.fixture.ts';
import { WAYS, wayClients, type WayClient, type WayClients } from './clients.fixture.ts';

/** After how many milliseconds a call is answered with a handle. This is enough for calls that do not wait, even on a busy machine. */
const HELD_MS = 400;
const yes: ApprovalDecision = { decision: 'approved' };
let bench: TestWorkbench;
let clients: WayClients;
let heldMs = HELD_MS;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null });
  const { responseTimeouts } = bench.workbench.transportHost;
  responseTimeouts.response = responseTimeouts.approval = () => heldMs;
  clients = await wayClients(bench);
  bench.workbench.approvals.setApprover('the test');
  await bench.workbench.session.start();
});

afterAll(async () => {
  await clients.close();
  await bench.close();
});

/** Makes calls that are answered only when they have ended, without handles. */
async function patiently<T>(calls: () => Promise<T>): Promise<T> {
  heldMs = 60_000;
  try {
    return await calls();
  } finally {
    heldMs = HELD_MS;
  }
}

/** Returns a form that waits until `letGo` is called. */
const waiting = (): string => `(loop until (probe-file "${path.join(bench.project, 'go')}") do (sleep 0.01))`;

/** Ends the waiting forms, and then runs `calls`, which waits until the calls with these forms have ended. */
async function letGo(calls: () => Promise<void>): Promise<void> {
  const file = path.join(bench.project, 'go');
  await writeFile(file, '');
  await calls();
  await rm(file);
}

/** Waits with the handle until the call has ended, and returns its reply. */
async function endOf(agent: WayClient, { text, meta }: Reply): Promise<Reply> {
  expect(text).toMatch(/^(Still running|Not started|Waiting for approval)/);
  for (;;) {
    const reply = await agent.call('await-approval', { approval_id: String(meta['approval_id']) });
    if (!['running', 'pending_approval'].includes(String(reply.meta['status']))) return reply;
  }
}

/** Returns the id that the answer gives for interrupting the call. */
function interruptibleBy({ text }: Reply): string {
  return /interrupt-evaluation with \{"evaluation": "([^"]+)"\}/.exec(text)![1]!;
}

/** Resolves when the image prints output that contains this text. */
function printed(text: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = bench.workbench.session.events.on('output', (output) => {
      if (!output.text.includes(text)) return;
      stop();
      resolve();
    });
  });
}

describe.each(WAYS)('code in a held debugger over $transport, $era', (way) => {
  const place = `${way.transport}-${way.era}`.toLowerCase();
  let agent: WayClient;

  beforeAll(async () => {
    agent = await clients.open(way, `holder ${place}`);
  });

  /** Causes an error that waits in the debugger. */
  async function holdError(of: WayClient): Promise<void> {
    const held = await patiently(async () => {
      await of.evaluate('(let ((x 1)) (declare (optimize (debug 3))) (error "boom ~a" x))');
      return of.call('invoke-restart', { restart: 'RETRY' });
    });
    expect(held.text).toContain('boom 1');
  }

  const inFrame = (of: WayClient, code: string): Promise<Reply> => of.call('eval-in-frame', { frame: 0, code });

  it('A form in a frame that takes longer is answered with a handle, prints on, and ends', async () => {
    await holdError(agent);
    const first = await inFrame(agent, `(progn (print :begun) (finish-output) ${waiting()} :done)`);
    expect(first.text).toContain('[Output so far]\n\n:BEGUN');
    await letGo(async () => {
      const end = await endOf(agent, first);
      expect(end.text).toContain('=> :DONE');
      expect(end.meta).not.toHaveProperty('approved'); // the person was not asked
    });
  });

  it('A form in a frame is interrupted by the id that its answer names, and the error stays held', async () => {
    await holdError(agent);
    const first = await inFrame(agent, '(loop (sleep 0.01))');
    expect(await agent.call('interrupt-evaluation', { evaluation: interruptibleBy(first) })).toMatchObject({
      text: 'Interrupted: the code that runs in the debugger',
      isError: false,
    });
    expect((await endOf(agent, first)).isError).toBe(true);
    expect((await patiently(() => agent.call('invoke-restart', {}))).text).toContain('boom 1');
  });

  it('A form in a frame that waits for a person says so, and continues when they approve', async () => {
    const file = path.join(bench.project, `frame-${place}.txt`);
    await holdError(agent);
    const first = await inFrame(
      agent,
      `(progn (with-open-file (s "${file}" :direction :output) (write-string "written" s)) :wrote)`,
    );
    expect(first.text).toMatch(/^Waiting for approval: your code is waiting inside OPEN/);
    await decideNext(bench.workbench.approvals, yes);
    expect((await endOf(agent, first)).text).toMatch(/=> :WROTE/);
    expect(await readFile(file, 'utf8')).toBe('written');
  });

  /** Causes an error that waits in the debugger and has a slow restart. Invokes this restart. */
  async function takeSlowRestart(): Promise<Reply> {
    await patiently(async () => {
      await agent.evaluate('(remprop :slow :restart)');
      await agent.evaluate(
        `(restart-case (error "boom 1") (slow () ${waiting()} (setf (get :slow :restart) t) :restarted))`,
      );
      await agent.call('invoke-restart', { restart: 'RETRY' });
    });
    return agent.call('invoke-restart', { restart: 'SLOW' });
  }

  it.each([
    ['evaluate-lisp', { code: '(list :then (get :slow :restart))' }, '=> (:THEN T)'],
    ['compile-form', { form: '(defun after-the-restart () 1)' }, 'Compiled and loaded, 1 definition.'],
    ['load-system', { system: 'asdf' }, 'asdf'],
  ])(
    'A restart that takes longer runs to its end though %s is called meanwhile, which waits for it',
    async (tool, args, then) => {
      const restart = await takeSlowRestart();
      const next = await agent.call(tool, args);
      expect(next.text).toMatch(
        /^Not started after \d+ s: it is queued behind your own call \S+, whose code runs in the debugger\./,
      );
      await letGo(async () => {
        expect((await endOf(agent, restart)).text).toContain('=> :RESTARTED');
        expect((await endOf(agent, next)).text).toContain(then);
      });
    },
  );

  it('A call that waits for a restart that runs can be cancelled, and the restart runs on', async () => {
    const restart = await takeSlowRestart();
    const next = await agent.call('evaluate-lisp', { code: '(setf (get :slow :next) t)' });
    await agent.call('interrupt-evaluation', { evaluation: interruptibleBy(next) });
    expect(await endOf(agent, next)).toMatchObject({ isError: true });
    await letGo(async () => expect((await endOf(agent, restart)).text).toContain('=> :RESTARTED'));
    expect(await patiently(() => agent.evaluate('(get :slow :next)'))).toBe('=> NIL');
  });

  it('Each tool that looks at a held error whose restart runs says so, and the restart can still be interrupted', async () => {
    const restart = await takeSlowRestart();
    const id = interruptibleBy(restart);
    for (const [tool, args] of [
      ['invoke-restart', {}],
      ['frame-locals', { frame: 0 }],
      ['eval-in-frame', { frame: 0, code: '1' }],
      ['invoke-restart', { restart: 'ABORT' }],
    ] as const)
      expect((await agent.call(tool, args)).text).toContain(
        `The code of the held error is running, for your call ${id}.`,
      );
    expect((await agent.call('call-tool', { name: 'list-sessions', arguments: {} })).text).toContain(id);
    expect((await agent.call('interrupt-evaluation', { evaluation: id })).isError).toBe(false);
    expect((await endOf(agent, restart)).text).toMatch(/interrupted|given up/i);
    expect(await patiently(() => agent.evaluate('(get :slow :restart)'))).toBe('=> NIL');
  });

  it('A compilation that is interrupted says so', async () => {
    const first = await agent.call('compile-form', { form: '(eval-when (:load-toplevel) (sleep 30))' });
    await agent.call('interrupt-evaluation', { evaluation: interruptibleBy(first) });
    expect((await endOf(agent, first)).text).toMatch(/interrupted/i);
  });

  it.each([
    ['all agents are stopped', async () => bench.workbench.agents.stopAll()],
    ['its client is paused', async (id: string) => bench.workbench.clients.pause(id, 'The test pauses it.')],
    ['its turn is stopped', async (id: string) => bench.workbench.agents.interrupt(id, 'The test stops it.')],
    ['the person interrupts what runs', async () => bench.workbench.session.interrupt(null)],
  ])('Code that runs in a held debugger ends when %s', async (_when, end) => {
    const { clients: known } = bench.workbench;
    const { id } = known.list().find(({ name }) => name === agent.name)!;
    await holdError(agent);
    const unwound = printed(':UNWOUND');
    const first = await inFrame(agent, '(unwind-protect (loop (sleep 0.01)) (print :unwound) (finish-output))');
    expect(first.meta['status']).toBe('running');
    await end(id);
    await unwound;
    for (const client of known.list()) await known.change({ id: client.id, paused: false });
    expect(await patiently(() => agent.evaluate('(+ 1 2)'))).toBe('=> 3');
  });

  it('Code that runs in a held debugger ends when the token of its client is void', async () => {
    const leaver = await clients.open(way, `leaver ${place}`);
    await holdError(leaver);
    const unwound = printed(':UNWOUND');
    const first = await inFrame(leaver, '(unwind-protect (loop (sleep 0.01)) (print :unwound) (finish-output))');
    expect(first.meta['status']).toBe('running');
    await bench.workbench.clients.revoke(bench.workbench.clients.list().find(({ name }) => name === leaver.name)!.id);
    await unwound;
  });
});

describe.each(WAYS.filter(({ transport, era }) => transport === 'mcp' || era === '2025-11-25'))(
  'equal calls of two connections of one client over $transport, $era',
  (way) => {
    const place = `${way.transport}-${way.era}`.toLowerCase();
    it('An equal call of another connection runs separately, in its own package, and outlives the first connection', async () => {
      const one = await clients.open(way, `twin ${place}`);
      const other = await clients.open(way, one.name, one.token);
      await patiently(() =>
        one.evaluate(`(progn (defpackage "ONE ${place}" (:use :cl)) (in-package "ONE ${place}") 1)`),
      );
      const code = `(progn ${waiting()} (package-name *package*))`;
      const [first, second] = [
        await one.call('evaluate-lisp', { code }),
        await other.call('evaluate-lisp', { code }),
      ] as const;
      expect(second.meta['approval_id']).not.toBe(first.meta['approval_id']);
      await letGo(async () => {
        expect((await endOf(one, first)).text).toBe(`=> "ONE ${place}"`);
        await one.end();
        expect((await endOf(other, second)).text).toBe('=> "COMMON-LISP-USER"');
      });
    });
  },
);

describe.each(WAYS)('call that a person has approved, over $transport, $era', (way) => {
  const place = `${way.transport}-${way.era}`.toLowerCase();
  let agent: WayClient;

  beforeAll(async () => {
    agent = await clients.open(way, `proposer ${place}`);
    const { id } = bench.workbench.clients.list().find(({ name }) => name === agent.name)!;
    await bench.workbench.clients.change({ id, mode: 'propose' });
  });

  it('Code that was approved says that it runs, can be interrupted, and its end comes by the handle of the approval', async () => {
    const first = await agent.call('evaluate-lisp', {
      code: '(progn (print :begun) (finish-output) (loop (sleep 0.01)))',
    });
    expect(first.text).toMatch(/^Waiting for approval/);
    await nextCard(bench.workbench.approvals);
    const begun = printed(':BEGUN');
    const decided = decideNext(bench.workbench.approvals, yes); // resolves when the code has ended
    await begun;
    const handle = String(first.meta['approval_id']);
    const meanwhile = await agent.call('await-approval', { approval_id: handle });
    expect(meanwhile.text).toMatch(/^Still running after \d+ s/);
    expect(meanwhile.meta['approval_id']).toBe(handle);
    // The person interrupts the call, because in this mode the client would need another approval to do so.
    expect(await bench.workbench.session.interrupt(interruptibleBy(meanwhile))).toBe(true);
    expect(await endOf(agent, first)).toMatchObject({
      isError: true,
      text: expect.stringContaining('interrupted') as unknown,
    });
    await decided;
  });
});
