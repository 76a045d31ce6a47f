import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
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
});
