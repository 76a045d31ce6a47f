import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalRecords } from '#core/approvals/results/records.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from './workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
let id: string;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect('codex');
  bench.workbench.approvals.setApprover('the test');
  id = bench.workbench.clients.list().find(({ name }) => name === 'codex')!.id;
}, 120_000);

afterAll(() => bench.close());

beforeEach(() => bench.workbench.clients.change({ id, paused: false, mode: 'collaborate' }));

describe('modes of a client', () => {
  it('A client in observe mode looks and does nothing else', async () => {
    await bench.workbench.clients.change({ id, mode: 'observe' });
    expect(await client.call('describe-symbol', { symbol: 'car' })).toMatchObject({ isError: false });
    expect(await client.call('evaluate-lisp', { code: '1' })).toMatchObject({
      isError: true,
      text: 'Not approved: evaluate-lisp is a cautious tool and this client is in observe mode, which is read-only',
    });
  });

  it('An evaluation that is refused has ended in the activity with its call [issue 14.3]', async () => {
    const { clients, activity } = bench.workbench;
    await clients.change({ id, paused: true });
    const from = activity.newest(1)[0]!.seq;
    expect(await client.call('evaluate-lisp', { code: '(sleep 600)' })).toMatchObject({ isError: true });
    const told = activity.newest(50).filter(({ seq, kind }) => seq > from && kind.startsWith('evaluation-'));
    expect(told).toMatchObject([
      { kind: 'evaluation-started', code: '(sleep 600)' },
      { kind: 'evaluation-finished', status: 'error', summary: 'did not run' },
    ]);
    expect(new Set(told.map((event) => 'evaluation' in event && event.evaluation)).size).toBe(1);
  });

  it('A client in propose mode is asked about before the image changes too', async () => {
    await bench.workbench.clients.change({ id, mode: 'propose' });
    const reply = client.call('evaluate-lisp', { code: '(+ 40 2)' });
    const { approvals } = bench.workbench;
    await expect.poll(() => approvals.view().waiting.length).toBe(1);
    const card = approvals.view().waiting[0]!;
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // waits, because the tested rule depends on real time
    expect(card).toMatchObject({ headline: 'Evaluate Lisp in the image', editable: 'code' });
    const better = { decision: 'modified', arguments: { code: '(+ 40 3)' } } as const;
    await approvals.decide(card.id, card.fingerprint, better);
    expect(await reply).toMatchObject({ text: '=> 43\n\n[Edited by the person]\n(+ 40 3)', isError: false });
  });

  it("A client's calls and failures are counted", async () => {
    const counts = () => bench.workbench.clients.list().find((each) => each.id === id)!;
    const { calls, failures } = counts();
    await client.evaluate('1');
    await client.evaluate('(error "no")');
    expect(counts()).toMatchObject({ calls: calls + 2, failures: failures + 1 });
  });
});

it('Two clients work at once in one image, each in its own package, and both are named [P1, decision 22]', async () => {
  const { activity } = bench.workbench;
  const from = activity.newest(1)[0]!.seq;
  const other = await bench.connect('claude-code');
  await other.evaluate('(defpackage :shop (:use :cl)) (in-package :shop)');
  const rounds = Array.from({ length: 20 }, (_, n) => n);
  const [ours, theirs] = await Promise.all([
    Promise.all(rounds.map((n) => other.evaluate(`(defun price-${n} () ${n})`))),
    Promise.all(rounds.map((n) => client.evaluate(`(defun cost-${n} () ${n})`))),
  ]);
  expect(ours).toEqual(rounds.map((n) => `=> PRICE-${n}`));
  expect(theirs).toEqual(rounds.map((n) => `=> COST-${n}`));
  expect(await client.evaluate('(list (package-name *package*) (shop::price-7))')).toBe('=> ("COMMON-LISP-USER" 7)');
  const named = activity
    .newest(500)
    .flatMap((event) => (event.kind === 'definitions-changed' && event.seq > from ? [event] : []))
    .flatMap(({ actor, definitions }) => definitions.map(({ name, package: of }) => `${actor.name}: ${of}::${name}`));
  expect(named).toEqual(expect.arrayContaining(['claude-code: SHOP::PRICE-7', 'codex: COMMON-LISP-USER::COST-7']));
});

describe('image of its own', () => {
  it('An image of its own shares nothing with the others, and ends when it is given back [decision 22]', async () => {
    const { workbench } = bench;
    const other = await bench.connect('other');
    await other.evaluate('(defvar *shared* 1)');
    await workbench.clients.change({ id, ownImage: true });
    expect(await client.evaluate('(boundp (intern "*SHARED*"))')).toBe('=> NIL');
    await client.evaluate('(defvar *own* 2)');
    expect(await other.evaluate('(boundp (intern "*OWN*"))')).toBe('=> NIL');
    expect(workbench.sessions.all.map(({ name }) => name)).toEqual(['workbench', 'image of codex']);
    await workbench.clients.change({ id, ownImage: false });
    await expect.poll(() => workbench.sessions.all.length).toBe(1);
    expect(await client.evaluate('*shared*')).toBe('=> 1');
  });
});

describe('paused client', () => {
  it('A paused client has what it runs interrupted and what it asked for denied, and is answered with the reason [D14]', async () => {
    const { workbench } = bench;
    const running = client.evaluate('(loop)');
    await expect.poll(() => workbench.session.view().running?.actor.id).toBe(id);
    const asked = client.call('write-file', { path: 'a', content: 'x' });
    await expect.poll(() => workbench.approvals.view().waiting.length).toBe(1);
    const paused = await workbench.agents.stopAll();
    expect(paused).toContain(id);
    expect(await workbench.agents.stopAll()).toEqual([]);
    expect(await running).toMatch(/interrupted/i);
    expect(await asked).toMatchObject({ text: expect.stringMatching(/paused this client/) as string, isError: true });
    expect(await client.call('describe-symbol', { symbol: 'car' })).toMatchObject({ isError: true });
    await workbench.clients.change({ id, paused: false });
    expect(await client.evaluate('(+ 1 1)')).toBe('=> 2');
  });

  it('A client becomes paused by three refusals in a row', async () => {
    const { approvals, clients } = bench.workbench;
    for (const n of [1, 2, 3]) {
      const asked = client.call('write-file', { path: `n${n}`, content: 'x' });
      await expect.poll(() => approvals.view().waiting.length).toBe(1);
      const { id: approval, fingerprint } = approvals.view().waiting[0]!;
      await approvals.decide(approval, fingerprint, { decision: 'denied', reason: 'No.' });
      await asked;
    }
    await expect.poll(() => clients.standing(id).paused).toMatch(/refused 3 times in a row/);
    expect((await client.call('evaluate-lisp', { code: '1' })).text).toMatch(/refused 3 times in a row/);
  });
});

describe('sudden end of the program', () => {
  it('After a sudden end, approved requests that had not begun and waiting ones ask again, and begun ones are told [K4, cases 15 and 16]', async () => {
    const { workbench, project } = bench;
    const folder = await mkdtemp(path.join(tmpdir(), 'records-'));
    try {
      const actor = { id, kind: 'client', name: 'codex' } as const;
      const record = (key: string, state: 'waiting' | 'approved' | 'started') => ({
        id: key,
        actor,
        call: `call ${key}`,
        tool: 'write_file', // the format of earlier versions
        level: 'dangerous' as const,
        arguments: { path: `${key}.txt`, content: key },
        rule: 'it is dangerous',
        headline: `Write to ${key}.txt`,
        requestedAt: 1,
        state,
      });
      const file = path.join(folder, 'approvals.json');
      const before = new ApprovalRecords(file);
      for (const state of ['waiting', 'approved', 'started'] as const) await before.keep(record(state, state));
      const told = { actor, session: null, kind: 'effect', evaluation: 'call started', effect: 'write' } as const;
      const effect = {
        ...told,
        operator: 'OPEN',
        target: '/p/done.txt',
        outcome: 'proceeded',
        rule: 'you approved it',
      };
      workbench.activity.publish({ ...effect, parent: 'call started' });
      workbench.activity.publish({ ...effect, parent: 'another call', target: '/p/other.txt' });
      await workbench.agents.restore(await new ApprovalRecords(file).take());
      const { waiting, decided } = workbench.approvals.view();
      expect(waiting.map((card) => [card.id, card.abandoned, card.notice])).toEqual([
        ['waiting', true, 'The program ended before you decided, so codex is no longer waiting. Run anyway?'],
        ['approved', true, 'You had approved this, and the program ended before it began. Nothing ran. Run it now?'],
      ]);
      expect(waiting.map(({ tool }) => tool)).toEqual(['write-file', 'write-file']);
      expect(decided[0]).toMatchObject({ id: 'started', tool: 'write-file', decision: 'unknown', by: 'nobody' });
      expect(decided[0]!.reason).toMatch(/It had: write \/p\/done\.txt: proceeded\. Check whether/);
      await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // the tested rule depends on real time
      await workbench.approvals.decide('approved', waiting[1]!.fingerprint, { decision: 'approved' });
      expect(await readFile(path.join(project, 'approved.txt'), 'utf8')).toBe('approved');
      expect((await client.call('await-approval', { approval_id: 'approved' })).text).toMatch(/^Wrote 8 bytes/);
      expect((await client.call('await-approval', { approval_id: 'started' })).text).toMatch(/The program ended while/);
      expect(new ApprovalRecords(file).kept.problem).toBeNull();
      expect(await new ApprovalRecords(file).take()).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('A damaged file of records is set aside, and that is said [K4, cases 15 and 16]', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'records-'));
    const file = path.join(folder, 'approvals.json');
    await writeFile(file, '{"version":1,"records":[{"id":');
    expect(new ApprovalRecords(file).kept.problem).toMatch(/is damaged/);
    await rm(folder, { recursive: true });
  });
});
