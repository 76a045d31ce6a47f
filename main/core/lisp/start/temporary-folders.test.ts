/** Temporary folders of images that were killed together with their workbench. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { removeLeftTemporary } from './temporary-folders.ts';

it('Folders of images that are over are removed, without those that links lead to; those of living ones and of their copies stay [issue 34.2]', async () => {
  const base = await mkdtemp(path.join(tmpdir(), 'left-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', 'console.log(process.pid)']);
    const over = Number(stdout);
    const at = (name: string): string => path.join(base, name);
    const names = ['over-aaaaaa', 'living-bbbbbb', 'copied-cccccc', 'link-dddddd'].map((name) =>
      at(`lisp-workbench-${name.replace(/^\w+/, name.startsWith('living') ? String(process.pid) : String(over))}`),
    );
    const [left, living, copied, link] = names as [string, string, string, string];
    const others = ['kept', `lisp-workbench-compile-aaaaaa`, `lisp-workbench-${over}-aaaaaaa`].map(at);
    for (const folder of [left, living, copied, ...others]) await mkdir(folder);
    await mkdir(path.join(copied, `.process-${process.pid}`));
    await writeFile(path.join(others[0]!, 'file'), 'kept');
    await symlink(others[0]!, path.join(left, 'inner'));
    await symlink(others[0]!, link);
    await removeLeftTemporary({ TMPDIR: base });
    expect(
      [left, living, copied, link, ...others, path.join(others[0]!, 'file')].map((each) => existsSync(each)),
    ).toEqual([false, ...Array.from({ length: 7 }, () => true)]);
  } finally {
    await rm(base, { recursive: true });
  }
});
