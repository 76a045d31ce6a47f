import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cacheWithout } from '../../../main/core/lisp/core.fixture.ts';
import { expect, test } from '../../desktop/fixture.ts';

test('What does not work with this SBCL stands in the status bar, and everything else works', async ({ launch }) => {
  const cache = await cacheWithout(['SB-SPROF:', 'SB-IMPL:STEPPING-ENABLED-P']);
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  await symlink(cache, path.join(home, 'cache'), 'junction');
  const desktop = await launch({ home });
  await desktop.imageReady();
  const lisp = desktop.region('Status bar').getByRole('note', { name: 'not everything works' });
  await expect(lisp).toHaveText(/^SBCL \S+, not everything works$/);
  await expect(lisp).toHaveAccessibleName(
    /stepping \(it lacks SB-IMPL:STEPPING-ENABLED-P\); profiling \(it lacks SB-SPROF:START-PROFILING/,
  );
  await desktop.repl('(* 6 7)');
  await expect(desktop.region('REPL')).toContainText('42');
  await desktop.close();
  await Promise.all([home, cache].map((folder) => rm(folder, { recursive: true, force: true })));
});
