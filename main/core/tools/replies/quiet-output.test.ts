import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Project } from '#core/project/project.ts';
import type { RunReply } from '../runs.ts';
import { quiet } from './quiet-output.ts';

let top: string;
beforeEach(() => (top = realpathSync(mkdtempSync(path.join(tmpdir(), 'quiet-')))));
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Returns the reply to code that prints the compiler's messages about a file with this name. */
async function toldOf(file: string): Promise<string> {
  const printed = `; compiling file "${file}" (written 29 NOV 2026 01:00:00 AM):\n; in: DEFUN SECRET\n;     (X)\n; \n; caught WARNING:\n;   undefined variable: X\n`;
  const project = await Project.open(path.join(top, 'project'));
  return quiet(printed, { outputCut: 0, outputTails: [], warnings: [] } as unknown as RunReply, { project });
}

it('A file that printed words name is looked into only as a regular file of the project, and nothing is waited for [issue 34.1]', async () => {
  const at = (...parts: string[]): string => path.join(top, 'project', ...parts);
  execFileSync('mkdir', [at()]);
  execFileSync('mkfifo', [at('pipe.lisp')]);
  writeFileSync(path.join(top, 'outside.lisp'), '\n\n(defun secret () 1)');
  writeFileSync(at('own.lisp'), '\n(defun secret () 1)');
  symlinkSync(path.join(top, 'outside.lisp'), at('link.lisp'));
  expect(await toldOf(at('own.lisp'))).toContain('own.lisp:2:1: WARNING in DEFUN SECRET');
  expect(await toldOf(at('pipe.lisp'))).toContain('pipe.lisp: WARNING in DEFUN SECRET');
  expect(await toldOf(at('link.lisp'))).toContain('link.lisp: WARNING in DEFUN SECRET');
  // For files outside the project, the reply only counts the messages.
  for (const other of ['/dev/zero', at('..', 'outside.lisp'), `${at()}-other/file.lisp`])
    expect(await toldOf(other)).not.toContain('SECRET');
});
