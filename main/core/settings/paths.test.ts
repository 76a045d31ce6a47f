import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createPaths, findPaths } from './paths.ts';

it('The paths are real ones, also where a link leads to them: else the rule that keeps code out of them misses [K2]', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'places-')));
  try {
    await mkdir(path.join(folder, 'dotfiles'));
    await symlink(path.join(folder, 'dotfiles'), path.join(folder, 'home'));
    const { config, state, cache } = createPaths(findPaths({ LISP_WORKBENCH_HOME: path.join(folder, 'home') }));
    for (const place of [config, state, cache])
      expect(path.relative(path.join(folder, 'dotfiles'), place)).not.toMatch(/^\.\./);
  } finally {
    await rm(folder, { recursive: true });
  }
});
