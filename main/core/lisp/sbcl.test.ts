import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inheritable } from './process.ts';
import { findSbcl, isRecent, mend } from './sbcl.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sbcl-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that answers to --version. */
function program(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('an SBCL', () => {
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
  ])('of version %s is recent enough: %s', (version, expected) => {
    expect(isRecent(version)).toBe(expected);
  });

  it('is found on the path of this machine', async () => {
    expect((await findSbcl(null)).version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each<[string, () => string, RegExp]>([
    ['that is missing', () => path.join(folder, 'nothing'), /^There is no program at .*nothing\. Install it/],
    ['that is too old', () => program('old', 'echo "SBCL 2.0.1"'), /is SBCL 2\.0\.1; 2\.2\.9 or newer is needed/],
    ['that is something else', () => program('other', 'echo "GNU bash"'), /is no SBCL: it answered "GNU bash"/],
    ['that does not run', () => program('broken', 'exit 3'), /does not run: /],
  ])('%s is refused with what to do', async (_name, wanted, message) => {
    await expect(findSbcl(wanted())).rejects.toThrow(message);
  });

  it('that is not installed comes with the command for each system', () => {
    expect((['linux', 'darwin', 'win32', 'freebsd'] as const).map((platform) => mend(platform).split(',')[0])).toEqual([
      'Install it (sudo apt-get install sbcl)',
      'Install it (brew install sbcl)',
      'Install it (winget install SBCL.SBCL)',
      'Install it from sbcl.org',
    ]);
  });
});

describe('the environment of an image', () => {
  it('holds no secrets and nothing of Electron or npm', () => {
    const given = {
      PATH: '/bin',
      HOME: '/h',
      CL_SOURCE_REGISTRY: 'x',
      LISP_WORKBENCH_TOKEN: 't',
      GITHUB_TOKEN: 't',
      AWS_SECRET_ACCESS_KEY: 's',
      ELECTRON_RUN_AS_NODE: '1',
      npm_config_x: 'y',
      NODE_OPTIONS: '--x',
    };
    expect(inheritable(given)).toEqual({ PATH: '/bin', HOME: '/h', CL_SOURCE_REGISTRY: 'x' });
  });
});
