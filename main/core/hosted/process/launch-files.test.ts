import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeLaunchFiles } from './launch-files.ts';

let home: string;
beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), 'launch-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('files of a launch', () => {
  it('A file that the program writes itself too is written from its text before, readable by the person only [issue 33.2]', async () => {
    const launch = {
      args: [],
      environment: {},
      files: { 'some/fixed': 'fixed' },
      rewrites: { 'some/kept': (before: string) => `${before}+` },
    };
    await writeLaunchFiles(launch, home);
    await writeLaunchFiles(launch, home);
    const text = (name: string): string => readFileSync(path.join(home, 'some', name), 'utf8');
    expect([text('fixed'), text('kept')]).toEqual(['fixed', '++']);
    expect(statSync(path.join(home, 'some', 'kept')).mode & 0o777).toBe(0o600);
  });

  it('A link that the agent put into its home is neither written nor read through [issue 33.2, 34.1]', async () => {
    const profile = path.join(home, '..', `${path.basename(home)}-profile`);
    writeFileSync(profile, 'mine');
    try {
      symlinkSync(profile, path.join(home, 'fixed'));
      const fixed = { args: [], environment: {}, files: { fixed: 'text' } };
      expect(await writeLaunchFiles(fixed, home)).toEqual(['fixed']);
      expect(await writeLaunchFiles(fixed, home)).toEqual([]);
      symlinkSync(profile, path.join(home, 'kept'));
      const rewrites = { kept: (before: string): string => before };
      await expect(writeLaunchFiles({ args: [], environment: {}, rewrites }, home)).rejects.toThrow(
        `${path.join(home, 'kept')} is not a regular file, so it is neither read nor written.`,
      );
      expect([readFileSync(profile, 'utf8'), readFileSync(path.join(home, 'fixed'), 'utf8')]).toEqual(['mine', 'text']);
    } finally {
      rmSync(profile);
    }
  });
});
