/** Tests with a full disk, simulated by a limit on file sizes: calls that cannot be recorded do not run (K5). */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { decideNext, nextCard } from './decide.fixture.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalQueue } from './queue/queue.ts';
import { ApprovalRecords } from './results/records.ts';

/** Limits the size of the files that this process writes from now on. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

describe.runIf(process.platform === 'linux')('disk that is full for the audit', () => {
  let bench: TestWorkbench;
  let client: TestClient;

  beforeAll(async () => {
    process.on('SIGXFSZ', ignore); // makes a write fail, as on a full disk, instead of ending the process
    bench = await openTestWorkbench({ effects: null });
    client = await bench.connect('codex');
    bench.workbench.approvals.setApprover('the test');
    await client.evaluate('1');
  }, 120_000);

  afterEach(() => limitFiles('unlimited'));

  afterAll(async () => {
    process.off('SIGXFSZ', ignore);
    await bench.close();
  });

  const ignore = (): void => {};
  const at = (name: string): string => path.join(bench.project, name);

  /** Limits file sizes so that only `room` more bytes fit into the audit, which is less than the next line needs. */
  async function fill(room: number): Promise<void> {
    const folder = path.join(path.dirname(bench.home), 'state', 'audit');
    const newest = (await readdir(folder)).toSorted().at(-1)!;
    limitFiles((await stat(path.join(folder, newest))).size + room);
  }

  it.each([0, 40])(
    'With %i bytes of room for the audit, an approved tool does not run and its client hears why; then all goes on [K5, case 31]',
    async (room) => {
      const call = client.call('write-file', { path: 'full.txt', content: 'x' });
      await nextCard(bench.workbench.approvals);
      await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // waits, because the tested rule depends on real time
      await fill(room);
      const [{ id, fingerprint } = { id: '', fingerprint: '' }] = bench.workbench.approvals.view().waiting;
      await bench.workbench.approvals.decide(id, fingerprint, { decision: 'approved' });
      expect(await call).toMatchObject({
        isError: true,
        text: expect.stringMatching(/approved but did not run.*audit cannot be written/) as string,
      });
      expect(existsSync(at('full.txt'))).toBe(false);
      limitFiles('unlimited');
      const again = client.call('write-file', { path: 'fits.txt', content: 'x' });
      await decideNext(bench.workbench.approvals, { decision: 'approved' });
      expect(await again).toMatchObject({ isError: false });
      // The check of the audit reports the missing rows until the person has seen the alert.
      expect((await bench.workbench.verifyAudit()).problem).toMatch(/not recorded in the audit/);
      await bench.workbench.alerts.act('audit-seen', 'seen');
      expect((await bench.workbench.verifyAudit()).problem).toBeNull();
    },
  );

  it.each([0, 40])('With %i bytes of room for the audit, no approved effect goes on [K5, case 31]', async (room) => {
    const code = `(with-open-file (s "${at('effect.txt')}" :direction :output) (print 1 s))`;
    const call = client.evaluate(code);
    await nextCard(bench.workbench.approvals);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // waits, because the tested rule depends on real time
    await fill(room);
    const [{ id, fingerprint } = { id: '', fingerprint: '' }] = bench.workbench.approvals.view().waiting;
    await bench.workbench.approvals.decide(id, fingerprint, { decision: 'approved' });
    limitFiles('unlimited');
    expect(await call).toMatch(/EFFECT-DENIED[^]*audit cannot be written/);
    expect(existsSync(at('effect.txt'))).toBe(false);
  });

  it('A rule that comes with an approval which cannot be recorded is not given: the next effect asks [issue 34.5]', async () => {
    const { approvals, rules } = bench.workbench;
    const write = (name: string): string =>
      `(handler-case (with-open-file (s "${at(name)}" :direction :output) (print 1 s)) (error (e) (type-of e)))`;
    const call = client.evaluate(`(list ${write('first.txt')} ${write('second.txt')})`);
    await nextCard(approvals);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // waits, because the tested rule depends on real time
    await fill(0);
    const [{ id, fingerprint } = { id: '', fingerprint: '' }] = approvals.view().waiting;
    await approvals.decide(id, fingerprint, { decision: 'approved', remember: 'evaluation' });
    expect(rules.granted).toEqual([]);
    limitFiles('unlimited');
    await expect.poll(() => approvals.view().waiting[0]?.headline).toBe('Create the file second.txt');
    await decideNext(approvals, { decision: 'denied', reason: 'No' });
    expect((await call).match(/EFFECT-DENIED/g)).toHaveLength(2);
    expect([existsSync(at('first.txt')), existsSync(at('second.txt'))]).toEqual([false, false]);
  });
});

describe.runIf(process.platform === 'linux')('allowed effects on a full disk', () => {
  let bench: TestWorkbench;
  let client: TestClient;
  const ignore = (): void => {};
  const at = (name: string): string => path.join(bench.project, name);

  beforeAll(async () => {
    process.on('SIGXFSZ', ignore);
    bench = await openTestWorkbench({ effects: 'allow' });
    client = await bench.connect('codex');
    bench.workbench.approvals.setApprover('the test');
    await client.evaluate('1');
  }, 120_000);

  afterEach(() => limitFiles('unlimited'));

  afterAll(async () => {
    process.off('SIGXFSZ', ignore);
    await bench.close();
  });

  async function fill(room: number): Promise<void> {
    const folder = path.join(path.dirname(bench.home), 'state', 'audit');
    const newest = (await readdir(folder)).toSorted().at(-1)!;
    limitFiles((await stat(path.join(folder, newest))).size + room);
  }

  /** Returns the audit rows of one kind from the disk. */
  async function rows(kind: string): Promise<Record<string, unknown>[]> {
    const folder = path.join(path.dirname(bench.home), 'state', 'audit');
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
    const events = texts.flatMap((text) => text.split('\n').filter(Boolean)).map(eventOf);
    return events.filter((event) => event['kind'] === kind);
  }

  it('An effect that a rule allows is on record before it goes on [K5]', async () => {
    const code = `(with-open-file (s "${at('allowed.txt')}" :direction :output) (write-string "done" s))`;
    expect(await client.evaluate(code)).toMatch(/=> "done"/);
    const [row] = await rows('effect-allowed');
    expect(row).toMatchObject({ effect: 'write', operator: expect.stringMatching(/open/i) as string });
    expect(String(row?.['target'])).toContain('allowed.txt');
  });

  // The call and its evaluation write rows before the effect does. These rows do not fit into the audit either.
  it.each([0, 40])(
    'With %i bytes of room for the audit, an effect that a rule allows does not go on, and its client hears why [K5]',
    async (room) => {
      await fill(room);
      const call = client.evaluate(`(with-open-file (s "${at(`no-${room}.txt`)}" :direction :output) (print 1 s))`);
      const answer = await call;
      limitFiles('unlimited');
      expect(answer).toMatch(/EFFECT-DENIED[^]*allowed but was not done[^]*audit cannot be written/);
      expect(existsSync(at(`no-${room}.txt`))).toBe(false);
      const again = `(with-open-file (s "${at(`yes-${room}.txt`)}" :direction :output) (write-string "yes" s))`;
      expect(await client.evaluate(again)).toMatch(/=> "yes"/);
    },
  );

  it('A tool that a grant allows does not run while the audit cannot record it [K5]', async () => {
    const file = at('granted.txt');
    const { rules, clients } = bench.workbench;
    const actor = clients.list().find(({ name }) => name === 'codex')!.id;
    rules.grant('target', actor, { kind: 'tool', tool: 'write-file', level: 'dangerous', target: file, paths: [file] });
    expect(await client.call('write-file', { path: 'granted.txt', content: 'one' })).toMatchObject({ isError: false });
    expect(await rows('call-allowed')).toMatchObject([{ tool: 'write-file', target: file }]);
    await fill(0);
    const answer = await client.call('write-file', { path: 'granted.txt', content: 'two' });
    limitFiles('unlimited');
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/allowed but did not run/) as string });
    expect(await readFile(file, 'utf8')).toBe('one');
  });
});

function eventOf(line: string): Record<string, unknown> {
  return (JSON.parse(line) as { event: Record<string, unknown> }).event;
}

describe('disk that is full for kept results', () => {
  it('An approved run whose beginning cannot be kept on disk is not run [K5, case 31]', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'full-'));
    const kept = path.join(folder, 'kept');
    await mkdir(kept);
    const records = new ApprovalRecords(path.join(kept, 'approvals.json'));
    const queue = new ApprovalQueue<string>({ minutes: () => 5, records });
    queue.setApprover('the test');
    let ran = false;
    const { settled } = await queue.request({
      actor: { id: 'client:codex', kind: 'client', name: 'codex' },
      call: 'call',
      tool: 'write-file',
      level: 'dangerous',
      arguments: {},
      rule: '',
      requester: {
        draw: async () => ({
          headline: 'Write',
          arguments: [],
          editable: null,
          change: null,
          reversible: 'no',
          claim: null,
          targetState: '',
        }),
        check: () => null,
        perform: async () => {
          ran = true;
          return 'done';
        },
      },
    });
    await rename(kept, path.join(folder, 'away'));
    await writeFile(kept, ''); // a file in place of the folder prevents saving
    await decideNext(queue, { decision: 'approved' });
    expect(await settled).toMatchObject({ denied: true, reason: expect.stringMatching(/could not run/) as string });
    expect(ran).toBe(false);
    queue.dispose();
    await rm(folder, { recursive: true });
  });
});
