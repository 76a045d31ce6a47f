import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(() => bench.close());

/** Decides the next card, once a person could have read it. */
async function decideNext(decision: (args: { path: string; content: string }) => ApprovalDecision): Promise<void> {
  const { approvals } = bench.workbench;
  const card =
    approvals.view().waiting[0] ??
    (await new Promise<ReturnType<typeof approvals.view>['waiting'][0]>((resolve) => {
      const stop = approvals.events.on('changed', ({ waiting }) => {
        if (waiting[0]) {
          stop();
          resolve(waiting[0]);
        }
      });
    }));
  await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // the tested rule depends on real time
  const given = Object.fromEntries(card.arguments.map(({ name, value }) => [name, value])) as {
    path: string;
    content: string;
  };
  await approvals.decide(card.id, card.fingerprint, decision(given));
}

describe('write-file', () => {
  it('The tool write-file writes exactly the shown bytes after the approval, and nothing before [X9, X10, X37]', async () => {
    const file = path.join(bench.project, 'src', 'shop.lisp');
    const content = '(defun total () "λ 😀"\n  42)\n';
    const reply = client.call('write-file', { path: 'src/shop.lisp', content });
    await decideNext(() => {
      expect(bench.workbench.approvals.view().waiting[0]).toMatchObject({
        headline: `Write ${Buffer.byteLength(content)} bytes to src/shop.lisp`,
        change: { bytesBefore: null },
      });
      return { decision: 'approved' };
    });
    expect(await reply).toMatchObject({
      text: `Wrote ${Buffer.byteLength(content)} bytes to src/shop.lisp.`,
      isError: false,
      meta: { approved: true, safety_level: 'dangerous' },
    });
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('The tool write-file tells the client why it was denied [X11, decision 26]', async () => {
    const reply = client.call('write-file', { path: 'never.lisp', content: '1' });
    await decideNext(() => ({ decision: 'denied', reason: 'I write this one myself.' }));
    expect(await reply).toMatchObject({
      text: 'User denied tool execution: I write this one myself.',
      isError: true,
      meta: { approved: false, status: 'denied' },
    });
    await expect(stat(path.join(bench.project, 'never.lisp'))).rejects.toThrow(/ENOENT/);
  });

  it('The tool write-file tells the client what the person changed [X12]', async () => {
    const reply = client.call('write-file', { path: 'edited.lisp', content: 'one\ntwo\n' });
    await decideNext((args) => ({ decision: 'modified', arguments: { ...args, content: 'one\n2\n' } }));
    const { text } = await reply;
    expect(text).toBe(
      'Wrote 6 bytes to edited.lisp.\nThe person edited this before approving it.\n[Changed by the person]\n one\n-two\n+2',
    );
    expect(await readFile(path.join(bench.project, 'edited.lisp'), 'utf8')).toBe('one\n2\n');
  });

  it.each([
    ['a path outside', '../escape.lisp', /is outside the project/],
    ['an absolute path outside', '/etc/hostname', /is outside the project/],
    ['a path through a link that leads out', 'out/x.lisp', /is outside the project/],
    ['a folder', 'src', /is a folder/],
  ])('The tool write-file refuses %s without asking', async (_name, given, expected) => {
    await mkdir(path.join(bench.project, 'src'), { recursive: true });
    await symlink('/tmp', path.join(bench.project, 'out')).catch(() => {});
    const { text, isError } = await client.call('write-file', { path: given, content: 'x' });
    expect({ text, isError }).toEqual({ text: expect.stringMatching(expected) as unknown, isError: true });
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('A write is drawn again when a link on the way leads elsewhere since, though neither place holds the file [K3]', async () => {
    const { approvals } = bench.workbench;
    for (const name of ['shown', 'other']) await mkdir(path.join(bench.project, name));
    const link = path.join(bench.project, 'link');
    await symlink('shown', link);
    const reply = client.call('write-file', { path: 'link/new.lisp', content: 'x' });
    await decideNext(() => ({ decision: 'denied', reason: 'first look' }));
    await reply;
    const again = client.call('write-file', { path: 'link/new.lisp', content: 'y' });
    await expect.poll(() => approvals.view().waiting.length).toBe(1);
    await rm(link);
    await symlink('other', link);
    await decideNext(() => ({ decision: 'approved' }));
    expect(approvals.view().waiting[0]).toMatchObject({ state: 'stale', change: { path: 'other/new.lisp' } });
    await expect(stat(path.join(bench.project, 'other', 'new.lisp'))).rejects.toThrow(/ENOENT/);
    await decideNext(() => ({ decision: 'denied', reason: '' }));
    await again;
  });

  it('A file is written where the card said, whatever project is open by then [K3]', async () => {
    const { workbench, project } = bench;
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
    const reply = client.call('write-file', { path: 'here.lisp', content: 'x' });
    await expect.poll(() => workbench.approvals.view().waiting.length).toBe(1);
    await workbench.openProject(elsewhere);
    await decideNext(() => ({ decision: 'approved' }));
    await reply;
    await workbench.openProject(project);
    expect(await readFile(path.join(project, 'here.lisp'), 'utf8')).toBe('x');
    await expect(stat(path.join(elsewhere, 'here.lisp'))).rejects.toThrow(/ENOENT/);
    await rm(elsewhere, { recursive: true });
  });

  it('The tool write-file keeps the mode of the file', async () => {
    const file = path.join(bench.project, 'script.lisp');
    await writeFile(file, 'old', { mode: 0o750 });
    const reply = client.call('write-file', { path: 'script.lisp', content: 'new' });
    await decideNext(() => ({ decision: 'approved' }));
    await reply;
    expect((await stat(file)).mode & 0o777).toBe(0o750);
  });
});

describe('call that nobody decides', () => {
  it('A call that nobody decides is answered with a handle after its response timeout, and await-approval brings the result [K4, decision 26]', async () => {
    const { executor, session } = bench.workbench;
    const actor = { id: 'client:tester', kind: 'client', name: 'tester' } as const;
    const caller = {
      actor,
      connectionId: 'c',
      session,
      shared: false,
      policy: { id: 'client:x', name: 'x', mode: 'collaborate', paused: null, effects: 'ask' },
      approvalTimeoutMs: 20,
    } as const;
    const [pending] = await executor.execute(
      [{ id: '1', name: 'write_file', arguments: { path: 'later.lisp', content: 'later' } }],
      caller,
    );
    expect(pending).toMatchObject({
      success: true,
      content: expect.stringMatching(/^Waiting for approval/) as unknown,
      metadata: { status: 'pending_approval', approved: false },
    });
    const waited = client.call('await-approval', { approval_id: pending!.metadata.approval_id! });
    await decideNext(() => ({ decision: 'approved' }));
    expect(await waited).toMatchObject({ text: 'Wrote 5 bytes to later.lisp.', isError: false });
    expect(await client.call('await-approval', { approval_id: pending!.metadata.approval_id! })).toMatchObject({
      text: 'Wrote 5 bytes to later.lisp.',
    });
  });

  it('A call that nobody decides has a handle that no other client can use [K3, K4]', async () => {
    const stranger = await bench.connect('stranger');
    expect(await stranger.call('await-approval', { approval_id: 'x' })).toMatchObject({
      isError: true,
      text: 'You have no request with the handle x.',
    });
  });

  it('A call is denied at once where nobody can approve [X37, K4, decision 18]', async () => {
    bench.workbench.approvals.setApprover(null);
    const { text, isError } = await client.call('write-file', { path: 'x.lisp', content: 'x' });
    bench.workbench.approvals.setApprover('the test');
    expect({ text, isError }).toEqual({
      text: expect.stringMatching(/^Not approved: Approval is not possible here/) as unknown,
      isError: true,
    });
  });
});

describe('read-file', () => {
  it('The tool read-file gives the text', async () => {
    await writeFile(path.join(bench.project, 'r.lisp'), '(a b)\n');
    expect(await client.call('read-file', { path: 'r.lisp' })).toMatchObject({ text: '(a b)\n', isError: false });
  });

  it.each([
    ['that does not exist', 'nothing.lisp', /^Tool error: .*nothing\.lisp does not exist\.$/],
    ['outside', '../../etc/passwd', /^Tool error: .*outside the project/],
  ])('The tool read-file answers for a file %s with an error in words [X24]', async (_name, given, expected) => {
    expect(await client.call('read-file', { path: given })).toMatchObject({
      isError: true,
      text: expect.stringMatching(expected) as unknown,
    });
  });

  it('The tool read-file says so when the bytes are no UTF-8', async () => {
    await writeFile(path.join(bench.project, 'latin.lisp'), Buffer.from([0x22, 0xe4, 0x22]));
    expect((await client.call('read-file', { path: 'latin.lisp' })).text).toContain('no valid UTF-8');
  });
});

describe('executor', () => {
  const actor = { id: 'client:list', kind: 'client', name: 'list' } as const;

  function caller(): Parameters<TestWorkbench['workbench']['executor']['execute']>[1] {
    return {
      actor,
      connectionId: 'list',
      session: bench.workbench.session,
      shared: false,
      policy: { id: 'client:x', name: 'x', mode: 'collaborate', paused: null, effects: 'ask' },
      approvalTimeoutMs: 10,
    };
  }

  it('The executor takes a list of calls and gives a list of results, ids kept, success xor error [X2–X5, X16, X25, X34–X36, X38]', async () => {
    const calls = [
      { id: 'a', name: 'evaluate_lisp', arguments: { code: '(+ 1 2)' } },
      { id: 'b', name: 'no_such_tool', arguments: {} },
      { id: 'c', name: 'evaluate_lisp', arguments: { code: '(error "no")' } },
      { id: 'd', name: 'read_file', arguments: { path: 'missing' } },
      { id: 'e', name: 'evaluate_lisp', arguments: {} },
    ];
    const results = await bench.workbench.executor.execute(calls, caller());
    expect(
      results.map(({ id, success, error, content }) => [id, success, error === undefined, typeof content]),
    ).toEqual([
      ['a', true, true, 'string'],
      ['b', false, false, 'string'],
      ['c', false, false, 'string'],
      ['d', false, false, 'string'],
      ['e', false, false, 'string'],
    ]);
    expect(results.every(({ metadata }) => typeof metadata.execution_time_ms === 'number')).toBe(true);
    expect(results[1]!.error).toBe('Unknown tool: no_such_tool');
  });

  it('The executor tells observers of each call, before it runs, after it and of its failure [X27–X32]', async () => {
    const { events } = bench.workbench.executor;
    const phases: string[][] = [];
    const stops = [
      events.on('started', ({ tool }) => phases.push(['started', tool.name])),
      events.on('ended', ({ tool, result }) => phases.push([result.success ? 'done' : 'failed', tool.name])),
    ];
    await client.call('evaluate-lisp', { code: '1' });
    await client.call('evaluate-lisp', { code: '(car 1)' });
    for (const stop of stops) stop();
    expect(phases).toEqual([
      ['started', 'evaluate_lisp'],
      ['done', 'evaluate_lisp'],
      ['started', 'evaluate_lisp'],
      ['failed', 'evaluate_lisp'],
    ]);
  });

  it('The executor keeps metrics for each tool [X33]', () => {
    const kept = bench.workbench.metrics.get('evaluate-lisp')!;
    expect(kept.calls).toBeGreaterThan(kept.failures);
    expect(kept.failures).toBeGreaterThan(0);
    expect(kept.totalBytes).toBeGreaterThan(0);
  });

  it('The executor tells every call on the activity stream, level and all [X8]', async () => {
    await client.call('evaluate-lisp', { code: '(list :seen)' });
    const events = bench.workbench.activity.newest(10);
    expect(events.map((event) => event.kind)).toEqual(
      expect.arrayContaining(['call-started', 'evaluation-finished', 'call-finished']),
    );
    expect(events.find((event) => event.kind === 'call-started' && event.summary === '(list :seen)')).toMatchObject({
      level: 'cautious',
      tool: 'evaluate-lisp',
      actor: { name: 'tester' },
    });
  });
});
