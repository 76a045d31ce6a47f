import { readFileSync } from 'node:fs';
import path from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { expect, test } from '@playwright/test';
import { filesOf, packageFile, ROOT, wanted } from './made.ts';

for (const kind of ['dir', 'tar.gz', 'deb', 'rpm'] as const)
  test(`The ${kind} has what the list of its content says, and nothing else`, () => {
    const { patterns, sources } = wanted();
    const isInstalled = kind === 'deb' || kind === 'rpm';
    const listed = patterns.filter(({ pattern }) => isInstalled || !pattern.startsWith('/'));
    const files = filesOf[kind]();
    const others = files.filter((file) => !sources.includes(file));
    expect(sources.filter((file) => !files.includes(file))).toEqual([]);
    const hasNoFile = listed.filter(
      ({ pattern, isOptional }) => !isOptional && !others.some((file) => path.matchesGlob(file, pattern)),
    );
    expect(hasNoFile).toEqual([]);
    expect(others.filter((file) => !listed.some(({ pattern }) => path.matchesGlob(file, pattern)))).toEqual([]);
  });

test('The program in the package is the one that was built, without maps, tests, or packages of npm', () => {
  const archive = path.join(path.dirname(packageFile('.deb')), 'linux-unpacked', 'resources', 'app.asar');
  const files = listPackage(archive, { isPack: false });
  expect(
    files.filter((file) => !/^\/(out|package\.json$)/.test(file) || /\.map$|\.ts$|node_modules/.test(file)),
  ).toEqual([]);
  for (const file of ['out/cli/cli.js', 'out/main/app.js', 'out/preload/preload.cjs', 'out/renderer/index.html'])
    expect(extractFile(archive, file).equals(readFileSync(path.join(ROOT, file))), file).toBe(true);
});
