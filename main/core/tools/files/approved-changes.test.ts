/** Approved changes of files: their results, which changes a rule allows, and which changes can be reverted. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import type { Reply } from '#core/workbench.fixture.ts';
import { projectFiles, SHOP, yes } from './project-files.fixture.ts';

const files = projectFiles();

const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

async function asked(name: string, args: Record<string, unknown>, decision: ApprovalDecision): Promise<Reply> {
  const reply = files.client.call(name, args);
  await decideNext(files.bench.workbench.approvals, decision);
  return reply;
}

describe('moving and deleting', () => {
  it.each([
    ['delete-file', { path: 'src/shop.lisp' }],
    ['move-file', { path: 'src/shop.lisp', to: 'src/other.lisp' }],
  ])('The card of %s shows which file it is, its size and when it was written [G2]', async (name, args) => {
    const { size, mtimeMs } = await stat(at('src/shop.lisp'));
    const reply = files.client.call(name, args);
    const { facts, actor } = await nextCard(files.bench.workbench.approvals);
    const written = new Date(mtimeMs).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
    expect(facts.target).toEqual({
      label: 'Target',
      text: at('src/shop.lisp'),
      measures: `${size} bytes · written ${written}`,
    });
    files.bench.workbench.approvals.denyAllOf(actor.id, 'Later.');
    await reply;
  });
});

describe('approved changes of files', () => {
  const undoOf = (): string => files.bench.workbench.approvals.view().decided[0]!.id;

  it('A write with its mode, a new file, a move and a delete can be reverted [P6]', async () => {
    const { workbench } = files.bench;
    await chmod(at('src/shop.lisp'), 0o640);
    await asked('write-file', { path: 'src/shop.lisp', content: 'x' }, yes);
    expect(workbench.approvals.view().decided[0]?.undo).toBe('Restores the previous contents of the file');
    const write = undoOf();
    expect(await workbench.takeBack(write)).toMatchObject({ restored: true });
    expect([await text('src/shop.lisp'), (await stat(at('src/shop.lisp'))).mode & 0o777]).toEqual([SHOP, 0o640]);
    expect(workbench.approvals.view().decided[0]?.undo).toBeNull();
    await expect(workbench.takeBack(write)).rejects.toThrow(/no longer exists/);

    await asked('write-file', { path: 'fresh.txt', content: 'x' }, yes);
    await workbench.takeBack(undoOf());
    await expect(stat(at('fresh.txt'))).rejects.toThrow(/ENOENT/);

    await asked('move-file', { path: 'src/shop.lisp', to: 'lib/shop.lisp' }, yes);
    expect(await text('lib/shop.lisp')).toBe(SHOP);
    await workbench.takeBack(undoOf());
    expect(await text('src/shop.lisp')).toBe(SHOP);

    await asked('delete-file', { path: 'src/shop.lisp' }, yes);
    await expect(stat(at('src/shop.lisp'))).rejects.toThrow(/ENOENT/);
    await workbench.takeBack(undoOf());
    expect(await text('src/shop.lisp')).toBe(SHOP);
  });

  it('A change is not reverted when the file was changed since: the texts of before and now are shown [P6]', async () => {
    await asked('write-file', { path: 'src/shop.lisp', content: 'agent' }, yes);
    await writeFile(at('src/shop.lisp'), 'the person');
    expect(await files.bench.workbench.takeBack(undoOf())).toMatchObject({
      restored: false,
      texts: { before: SHOP, written: 'agent', now: 'the person' },
    });
    expect(await text('src/shop.lisp')).toBe('the person');
  });

  it.each([
    ['move-file', { path: 'src/shop.lisp', to: 'src/shop.lisp' }, /already exists/],
    ['move-file', { path: 'src', to: 'other' }, /is a folder/],
    ['move-file', { path: 'none', to: 'other' }, /does not exist/],
    ['move-file', { path: 'src/shop.lisp', to: '../out' }, /is outside/],
    ['delete-file', { path: 'src' }, /is a folder/],
    ['delete-file', { path: 'none' }, /does not exist/],
  ])('The call %s %j is refused without asking [P6]', async (name, args, expected) => {
    const { text: said, isError } = await files.client.call(name, args);
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
  });

  it('A path that was taken meanwhile is not overwritten by a move [K3, P6]', async () => {
    const reply = files.client.call('move-file', { path: 'src/shop.lisp', to: 'taken.lisp' });
    await nextCard(files.bench.workbench.approvals);
    await writeFile(at('taken.lisp'), 'mine');
    await decideNext(files.bench.workbench.approvals, yes);
    expect(await reply).toMatchObject({ isError: true });
    expect([await text('taken.lisp'), await text('src/shop.lisp')]).toEqual(['mine', SHOP]);
  });
});

describe('rule that the person gave on a card', () => {
  it('A rule from a card answers for its file for ten minutes, and each write can still be reverted [X37]', async () => {
    const { approvals, rules } = files.bench.workbench;
    await asked('write-file', { path: 'src/shop.lisp', content: '1' }, { decision: 'approved', remember: 'target' });
    expect(await files.client.call('write-file', { path: 'src/shop.lisp', content: '2' })).toMatchObject({
      isError: false,
    });
    expect(await text('src/shop.lisp')).toBe('2');
    expect(rules.granted.length).toBe(1);
    const other = files.client.call('write-file', { path: 'src/other.lisp', content: '2' });
    await decideNext(approvals, { decision: 'denied', reason: 'Not this.' });
    expect(await other).toMatchObject({ isError: true });
    rules.revoke(null);
  });
});
