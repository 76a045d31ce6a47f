/** A disk that takes no more: what cannot be recorded does not run (K5). The limit on the size of files stands for it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { decideNext, nextCard } from './decide.fixture.ts';
import { INERT_MS } from './entry.ts';
import { ApprovalQueue } from './queue.ts';
import { ApprovalRecords } from './records.ts';

/** From now on no file of this process grows beyond so many bytes. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}

describe.runIf(process.platform === 'linux')('K5 case 31 a disk that is full for the audit', () => {
  let bench: TestWorkbench;
  let client: TestClient;

  beforeAll(async () => {
    process.on('SIGXFSZ', ignore); // so that a write fails, as on a full disk, instead of ending the process
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

  /** Fills it up to so many bytes after what was written so far: the next line does not fit whole. */
  async function fill(room: number): Promise<void> {
    const folder = path.join(path.dirname(bench.home), 'state', 'audit');
    const newest = (await readdir(folder)).toSorted().at(-1)!;
    limitFiles((await stat(path.join(folder, newest))).size + room);
  }

  it.each([0, 40])(
    'with %i bytes of room, an approved tool does not run and its client hears why; then all goes on',
    async (room) => {
      const call = client.call('write-file', { path: 'full.txt', content: 'x' });
      await nextCard(bench.workbench.approvals);
      await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // the rule itself is about time
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
      expect((await bench.workbench.verifyAudit()).problem).toBeNull();
    },
  );

  it.each([0, 40])('with %i bytes of room, an approved effect does not go on', async (room) => {
    const code = `(with-open-file (s "${at('effect.txt')}" :direction :output) (print 1 s))`;
    const call = client.evaluate(code);
    await nextCard(bench.workbench.approvals);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 20)); // the rule itself is about time
    await fill(room);
    const [{ id, fingerprint } = { id: '', fingerprint: '' }] = bench.workbench.approvals.view().waiting;
    await bench.workbench.approvals.decide(id, fingerprint, { decision: 'approved' });
    limitFiles('unlimited');
    expect(await call).toMatch(/EFFECT-DENIED[^]*audit cannot be written/);
    expect(existsSync(at('effect.txt'))).toBe(false);
  });
});

describe('K5 case 31 a disk on which the beginning of a run cannot be kept', () => {
  it('has it not run', async () => {
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
      tool: 'write_file',
      level: 'dangerous',
      arguments: {},
      rule: '',
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
    });
    await rename(kept, path.join(folder, 'away'));
    await writeFile(kept, ''); // nothing can be kept where a file stands
    await decideNext(queue, { decision: 'approved' });
    expect(await settled).toMatchObject({ denied: true, reason: expect.stringMatching(/could not run/) as string });
    expect(ran).toBe(false);
    queue.dispose();
    await rm(folder, { recursive: true });
  });
});
