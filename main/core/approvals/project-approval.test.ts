/**
 * `--approve project`: which actions of file tools in the project need no person, which are still denied, and how the actions are recorded
 * and undone.
 */
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configuringFile } from '#core/project/configuring-files.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { approveInProject, projectDecision } from './project-approval.ts';
import { APPROVED_BY_OPTION } from './without-window.ts';

const SHOP = "(defun total (cart)\n  (reduce #'+ cart))\n";
let bench: TestWorkbench;
let client: TestClient;
let outside: string;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: 'deny' });
  client = await bench.connect('lone');
  approveInProject(bench.workbench.approvals, () => bench.workbench.project);
  outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
}, 120_000);

afterAll(async () => {
  await bench.close();
  await rm(outside, { recursive: true, force: true });
});

beforeEach(async () => {
  await mkdir(at('src'), { recursive: true });
  await mkdir(at('.git/hooks'), { recursive: true });
  await writeFile(at('src/shop.lisp'), SHOP);
});

const at = (name: string): string => path.join(bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
const lastDecided = () => bench.workbench.approvals.view().decided[0]!;

describe('file tools inside the project', () => {
  const changed = SHOP.replace('reduce', 'apply');
  const form = changed.trimEnd();

  it.each<[string, Record<string, unknown>, string, string | null]>([
    ['write-file', { path: 'src/new/deep.lisp', content: '1' }, 'src/new/deep.lisp', '1'],
    ['write-file', { path: 'src/shop.lisp', content: '1' }, 'src/shop.lisp', '1'],
    ['edit-definition', { path: 'src/shop.lisp', definition: 'total', text: form }, 'src/shop.lisp', changed],
    [
      'propose-file-edit',
      { path: 'src/shop.lisp', original: 'reduce', modified: 'apply', description: 'Why' },
      'src/shop.lisp',
      changed,
    ],
    ['move-file', { path: 'src/shop.lisp', to: 'lib/shop.lisp' }, 'lib/shop.lisp', SHOP],
    ['delete-file', { path: 'src/shop.lisp' }, 'src/shop.lisp', null],
  ])(
    'The tool %s changes a file without asking, which is recorded and can be undone [P6]',
    async (tool, args, file, after) => {
      await rm(at('lib'), { recursive: true, force: true });
      await rm(at('src/new'), { recursive: true, force: true });
      const before = await text(file).catch(() => null);
      const reply = await client.call(tool, args);
      expect(reply).toMatchObject({ isError: false, meta: { approved: true } });
      expect(await text(file).catch(() => null)).toBe(after);
      const { id, decision, by, undo } = lastDecided();
      expect({ decision, by, undo }).toEqual({
        decision: 'approved',
        by: APPROVED_BY_OPTION,
        undo: 'Restores the previous contents of the file',
      });
      const recorded = bench.workbench.activity.newest(20).findLast(({ kind }) => kind === 'approval-decided');
      expect(recorded).toMatchObject({ approval: id, by: APPROVED_BY_OPTION, decision: 'approved' });
      expect(await bench.workbench.takeBack(id)).toMatchObject({ restored: true });
      expect(await text(file).catch(() => null)).toBe(before);
      expect(await text('src/shop.lisp')).toBe(SHOP);
    },
  );

  it('The audit has the decision with its author, and not as that of a person [K5]', async () => {
    await client.call('write-file', { path: 'audited.txt', content: '1' });
    const folder = path.join(path.dirname(bench.home), 'state', 'audit');
    const rows = async (): Promise<string> =>
      (await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))).join('');
    const decided = async (): Promise<string | undefined> =>
      (await rows()).split('\n').find((row) => row.includes('approval-decided') && row.includes('audited.txt'));
    await expect.poll(decided).toContain(`"by":"${APPROVED_BY_OPTION}"`);
  });
});

describe('what --approve project does not allow', () => {
  it.each([
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.mcp.json',
    'sub/.mcp.json',
    '.claude/settings.json',
    '.VSCode/tasks.json',
    '.envrc',
    'CLAUDE.md',
    'sub/AGENTS.md',
    '.bashrc',
  ])('A write of %s is denied, and the denial says what that file can start', async (file) => {
    const { text: said, isError } = await client.call('write-file', { path: file, content: 'x' });
    expect(said).toMatch(/^Not approved: .* configures a program: .* does not allow changes to such files/);
    const starts = configuringFile(at(file), at(''));
    expect([starts !== null && said.includes(starts), isError]).toEqual([true, true]);
    await expect(stat(at(file))).rejects.toThrow(/ENOENT|ENOTDIR/);
    expect(lastDecided()).toMatchObject({ decision: 'denied', by: 'nobody' });
  });

  it('A file is not moved to where it would configure a program', async () => {
    const { text: said } = await client.call('move-file', { path: 'src/shop.lisp', to: '.git/hooks/pre-push' });
    expect(said).toMatch(/^Not approved: .git\/hooks\/pre-push configures a program/);
    expect(await text('src/shop.lisp')).toBe(SHOP);
  });

  it.each([
    ['a path outside the project', () => path.join(outside, 'x.txt')],
    ['a path that leaves the project', () => '../x.txt'],
    ['a link that leads out of the project', () => 'leads-out/x.txt'],
  ])('A write to %s is refused, and nothing is written', async (_what, target) => {
    await symlink(outside, at('leads-out')).catch(() => {});
    const { text: said, isError } = await client.call('write-file', { path: target(), content: 'x' });
    expect([said, isError]).toEqual([expect.stringMatching(/is outside the project/), true]);
    await expect(stat(path.join(outside, 'x.txt'))).rejects.toThrow(/ENOENT/);
  });

  it('A link inside the project does not hide a file that configures a program', async () => {
    await symlink(at('.git/hooks'), at('harmless')).catch(() => {});
    const { text: said } = await client.call('write-file', { path: 'harmless/post-merge', content: 'x' });
    expect(said).toMatch(/^Not approved: .git\/hooks\/post-merge configures a program/);
    await expect(stat(at('.git/hooks/post-merge'))).rejects.toThrow(/ENOENT/);
  });

  it('A folder that becomes a link to hooks after the decision does not take the write along', async () => {
    await mkdir(at('plain'), { recursive: true });
    const stop = bench.workbench.approvals.events.on('requested', () => {
      renameSync(at('plain'), at('was-plain'));
      symlinkSync(at('.git/hooks'), at('plain'));
    });
    const { text: said } = await client.call('write-file', { path: 'plain/post-commit', content: 'x' });
    stop();
    expect(said).toBe('plain/post-commit changed during the approval, so nothing was written.');
    await expect(stat(at('.git/hooks/post-commit'))).rejects.toThrow(/ENOENT/);
  });

  it('Effects of code stay denied, inside the project too, and the denial names the ways to have a person asked', async () => {
    const said = await client.evaluate(`(open "${at('by-code.txt')}" :direction :output)`);
    expect(said).toMatch(
      /EFFECT-DENIED[^]*--approve terminal or --approve client to be asked; --approve project allows file tools/,
    );
    await expect(stat(at('by-code.txt'))).rejects.toThrow(/ENOENT/);
  });

  it('Requests that are no file tools are denied, with the ways to approve [decision 18]', () => {
    const decide = projectDecision(() => ({ root: '/p' }));
    const denial = {
      approved: false,
      reason: expect.stringMatching(/--approve terminal .*--approve client .*--approve project/),
    };
    expect(decide({ files: [], askable: false })).toEqual(denial);
    expect(decide({ files: [], askable: true })).toEqual(denial);
  });

  it('All paths of a request count, and a path outside denies by itself', () => {
    const decide = projectDecision(() => ({ root: '/p' }));
    expect(decide({ askable: false, files: ['/p/a', '/p/b'] })).toEqual({ approved: true, by: APPROVED_BY_OPTION });
    for (const other of ['/q/b', '/p', '/pq/b', '/p/.git/x', '/p/x/.git'])
      expect(decide({ askable: false, files: ['/p/a', other] })).toMatchObject({ approved: false });
  });
});
