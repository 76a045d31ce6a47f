import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findSbcl, isRecent, mend } from './sbcl.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sbcl-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a program that answers `--version` like SBCL. Returns its path. */
function program(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('SBCL', () => {
  it.each<[string, boolean]>([
    ['2.2.9', true],
    ['2.2.9.debian', true],
    ['2.2.10', true],
    ['2.6.4.local', true],
    ['3.0.0', true],
    ['2.2.8', false],
    ['2.1.11.debian', false],
    ['1.5.9', false],
    ['2', false],
    ['nonsense', false],
  ])('An SBCL of version %s is recent enough: %s', (version, expected) => {
    expect(isRecent(version)).toBe(expected);
  });

  it('An SBCL is found on the path of this machine', async () => {
    expect((await findSbcl(null)).version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each<[string, () => string, RegExp]>([
    ['that is missing', () => path.join(folder, 'nothing'), /^There is no program at .*nothing\. Install it/],
    [
      'that is too old',
      () => program('old', 'echo "SBCL 2.0.1"'),
      /is SBCL 2\.0\.1, but Lisp Workbench needs 2\.2\.9 or newer/,
    ],
    ['that is something else', () => program('other', 'echo "GNU bash"'), /is not SBCL: it answered "GNU bash"/],
    ['that does not run', () => program('broken', 'exit 3'), /cannot be run: /],
  ])('An SBCL %s is refused with what to do', async (_name, wanted, message) => {
    await expect(findSbcl(wanted())).rejects.toThrow(message);
  });

  it('A missing SBCL is told with the command that installs it on each system', () => {
    expect((['linux', 'darwin', 'win32', 'freebsd'] as const).map((platform) => mend(platform).split(',')[0])).toEqual([
      'Install it (sudo apt-get install sbcl)',
      'Install it (brew install sbcl)',
      'Install it (winget install SBCL.SBCL)',
      'Install it from sbcl.org',
    ]);
  });
});
