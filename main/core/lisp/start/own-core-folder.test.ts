import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeLeftCores } from './own-core-folder.ts';

it('Folders of cores that a killed process left are removed, and those of processes that run stay', () => {
  const { pid: over } = spawnSync(process.execPath, ['-e', '']);
  const folders = [over, process.ppid].map((pid) => mkdtempSync(path.join(tmpdir(), `lisp-workbench-core-${pid}-`)));
  onTestFinished(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  removeLeftCores();
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true]);
});
