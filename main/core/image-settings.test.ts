import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { findSbcl } from './lisp/start/sbcl.ts';
import { openTestWorkbench, type TestWorkbench } from './workbench.fixture.ts';

let opened: TestWorkbench;
let folder: string;

beforeEach(async () => {
  opened = await openTestWorkbench({ shared: true, checkpoints: false });
  folder = await mkdtemp(path.join(tmpdir(), 'image-settings-'));
});

afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function valueOf(code: string): Promise<string | undefined> {
  const report = await opened.workbench.evaluateAsPerson({
    evaluation: crypto.randomUUID(),
    code,
    package: 'COMMON-LISP-USER',
    origin: 'repl',
    source: null,
  });
  return report.values[0]?.text;
}

async function restartWith(change: Partial<Settings>): Promise<void> {
  await opened.workbench.changeSettings(change);
  await opened.workbench.session.restart();
}

test('Heap, control stack and init file are those of the settings from the next start of the image on [D15]', async () => {
  const initFile = path.join(folder, 'my init.lisp');
  await writeFile(initFile, '(defvar cl-user::*from-init* (lisp-implementation-type))');
  await opened.workbench.session.start();
  const stack = `(round (- (sb-sys:sap-int (sb-vm::current-thread-offset-sap sb-vm::thread-control-stack-end-slot))
                           (sb-sys:sap-int (sb-vm::current-thread-offset-sap sb-vm::thread-control-stack-start-slot)))
                        1048576)`;
  await restartWith({ heapMegabytes: 700, controlStackMegabytes: 5, initFile });
  expect(await valueOf('(floor (sb-ext:dynamic-space-size) 1048576)')).toBe('700');
  expect(await valueOf(stack)).toBe('5');
  expect(await valueOf('cl-user::*from-init*')).toBe('"SBCL"');
  await restartWith({ heapMegabytes: null, controlStackMegabytes: 16, initFile: '' });
  expect(Number(await valueOf('(floor (sb-ext:dynamic-space-size) 1048576)'))).toBeGreaterThanOrEqual(1024);
  expect(await valueOf(stack)).toBe('16');
  expect(await valueOf("(boundp 'cl-user::*from-init*)")).toBe('NIL');
});

test('An SBCL or an init file that is not there is refused, and the settings stay as they were', async () => {
  const { workbench } = opened;
  const missing = path.join(folder, 'sbcl');
  const text = path.join(folder, 'text');
  await writeFile(text, 'no program');
  await expect(workbench.changeSettings({ sbcl: missing })).rejects.toThrow(`There is no program at ${missing}.`);
  await expect(workbench.changeSettings({ sbcl: text })).rejects.toThrow(`There is no program at ${text}.`);
  await expect(workbench.changeSettings({ sbcl: process.execPath })).rejects.toThrow('is not SBCL');
  await expect(workbench.changeSettings({ sbcl: 'sbcl' })).rejects.toThrow(
    'sbcl is not an absolute path. Enter the full path.',
  );
  await expect(workbench.changeSettings({ initFile: missing })).rejects.toThrow(`The file ${missing} does not exist.`);
  await expect(workbench.changeSettings({ initFile: folder })).rejects.toThrow(`The file ${folder} does not exist.`);
  expect(workbench.settings.value).toMatchObject({ sbcl: '', initFile: '' });
});

test('The SBCL of the settings is the one that the next image starts with, and without it found automatically serves again', async () => {
  const { workbench } = opened;
  const { path: found } = await findSbcl(null, process.env);
  const own = path.join(folder, 'sbcl');
  await writeFile(own, `#!/bin/sh\nexec '${found}' "$@"\n`, { mode: 0o755 });
  await workbench.changeSettings({ sbcl: own });
  await unlink(own);
  await workbench.session.start().catch(() => {});
  expect(workbench.session.view()).toMatchObject({ pid: null, problem: expect.stringContaining(own) as string });
  await restartWith({ sbcl: '' });
  expect(await valueOf('(lisp-implementation-type)')).toBe('"SBCL"');
});

test('An SBCL that the environment names and that is not there says that the one of Settings would not be used', async () => {
  const named = await openTestWorkbench({ checkpoints: false, sbcl: path.join(folder, 'gone') });
  try {
    await named.workbench.session.start().catch(() => {});
    expect(named.workbench.session.view().problem).toContain('overrides the one in Settings');
  } finally {
    await named.close();
  }
});
