import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileWatch } from './file-watch.ts';

describe('watching open files', () => {
  let folder: string;
  let told: string[];
  let watch: FileWatch;
  const at = (name: string): string => path.join(folder, name);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'open-files-')));
    await mkdir(at('deep'));
    for (const name of ['a.lisp', 'b.lisp', 'deep/target.lisp']) await writeFile(at(name), '1');
    await symlink(at('deep/target.lisp'), at('link.lisp'));
    told = [];
    watch = new FileWatch((paths) => told.push(...paths.map((file) => path.relative(folder, file))));
  });
  afterEach(async () => {
    watch.close();
    await rm(folder, { recursive: true, force: true });
  });
  /** Writes repeatedly until the watch has reported a write, because the time at which the watch starts is unknown. */
  const untilTold = async (write: (round: number) => Promise<void>, name: string): Promise<void> => {
    let round = 0;
    await expect
      .poll(async () => {
        await write((round += 1));
        return told;
      })
      .toContain(name);
  };

  it('A file is told that is written, replaced by a rename, or removed', async () => {
    watch.follow([at('a.lisp')]);
    await untilTold((round) => writeFile(at('a.lisp'), `written ${round}`), 'a.lisp');
    told.length = 0;
    await untilTold(async (round) => {
      await writeFile(at('new'), `replaced ${round}`);
      await rename(at('new'), at('a.lisp'));
    }, 'a.lisp');
    told.length = 0;
    await unlink(at('a.lisp'));
    await expect.poll(() => told).toContain('a.lisp');
  });

  it('A symbolic link is told when the file that it leads to is written', async () => {
    watch.follow([at('link.lisp')]);
    await untilTold((round) => writeFile(at('deep/target.lisp'), `written ${round}`), 'link.lisp');
    expect(new Set(told)).toEqual(new Set(['link.lisp']));
  });

  it('Files that are followed no more are told no more', async () => {
    watch.follow([at('a.lisp'), at('b.lisp')]);
    await untilTold((round) => writeFile(at('a.lisp'), `written ${round}`), 'a.lisp');
    watch.follow([at('b.lisp')]);
    told.length = 0;
    await writeFile(at('a.lisp'), 'once more');
    await untilTold((round) => writeFile(at('b.lisp'), `written ${round}`), 'b.lisp');
    expect(told).not.toContain('a.lisp');
  });
});
