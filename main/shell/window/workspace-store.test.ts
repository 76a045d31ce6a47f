import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyWorkspace } from '#contract/settings.ts';
import { WorkspaceStore } from './workspace-store.ts';

const config = mkdtempSync(path.join(tmpdir(), 'workspace-'));

afterAll(() => rmSync(config, { recursive: true }));

it('The end waits for the last state of the page, not for one that was under way [D18]', async () => {
  const store = new WorkspaceStore(config);
  let over = false;
  const last = store.lastKept(60_000).then(() => (over = true));
  await store.keep({ ...emptyWorkspace, layout: 'befor' });
  expect(over).toBe(false);
  await store.keepLast({ ...emptyWorkspace, layout: 'before' });
  await last;
  await store.settled();
  expect(new WorkspaceStore(config).value.layout).toBe('before');
});

it('A page that gives no last state is not waited for [D18]', async () => {
  await expect(new WorkspaceStore(config).lastKept(1)).resolves.toBeUndefined();
});
