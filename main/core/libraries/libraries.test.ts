/** Libraries of a dist: what a name needs, and that only archives of the index are installed, completely or not at all. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import { afterEach, describe, expect, it } from 'vitest';
import { openDist, simpleProject, type TestDist, type TestProject } from './dist.fixture.ts';
import { ClientLibraries } from './libraries.ts';

let dist: TestDist | undefined;

afterEach(() => dist?.close());

async function libraries(projects: Readonly<Record<string, TestProject>>): Promise<ClientLibraries> {
  dist = await openDist(projects);
  return new ClientLibraries({ HOME: dist.home });
}

const quietly = { signal: new AbortController().signal, progress: () => {} };

async function install(all: ClientLibraries, name: string, signal = quietly.signal): Promise<void> {
  await all.install(await all.plan([name]), { ...quietly, signal });
}

/** Resolves with all files of the dist's folder, except those that were there before. */
async function filesOfDist(): Promise<string[]> {
  const names = await readdir(dist!.folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist!.folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^(?:distinfo|enabled)\.txt$/.test(name))
    .toSorted();
}

const SALAD = {
  lettuce: simpleProject('lettuce', ['asdf', 'sb-posix', 'radish']),
  radish: simpleProject('radish', ['oil/press', 'of-the-image']),
  oil: { ...simpleProject('oil'), systems: { oil: [], 'oil/press': ['oil'] } },
  other: simpleProject('other', ['lettuce']),
};

describe('what a name needs [issue 38.3]', () => {
  it('A plan has the releases of all dependencies, the needed ones first, and names what no dist has', async () => {
    const all = await libraries(SALAD);
    const plan = await all.plan(['lettuce']);
    expect(plan.wanted.map(({ release }) => release.project)).toEqual(['oil', 'radish', 'lettuce']);
    expect(plan.missing).toEqual(['of-the-image']);
    expect(plan.size).toBe(plan.wanted.reduce((sum, { release }) => sum + release.size, 0));
    await expect(all.plan(['nothing'])).rejects.toThrow(/^No dist provides nothing\. The enabled dists are: made /);
  });

  it('Systems are found by parts of their names, with what is installed', async () => {
    const all = await libraries(SALAD);
    await install(all, 'oil');
    expect((await all.search(['O'])).map(({ system, installed }) => [system.name, installed])).toEqual([
      ['oil', true],
      ['oil/press', true],
      ['other', false],
    ]);
    expect((await all.search(['o', 'her'])).map(({ system }) => system.name)).toEqual(['other']);
  });

  it('Without a client it is said where one is looked for', () => {
    expect(() => new ClientLibraries({ HOME: '/nowhere' })).toThrow(/^No Quicklisp was found in ~\/quicklisp/);
  });
});

describe('an installation [issue 38.3]', () => {
  it('It writes what the client writes, and does nothing the second time', async () => {
    const all = await libraries(SALAD);
    await install(all, 'radish');
    expect(await filesOfDist()).toEqual([
      'archives/oil-1.tgz',
      'archives/radish-1.tgz',
      'installed/releases/oil.txt',
      'installed/releases/radish.txt',
      'installed/systems/oil.txt',
      'installed/systems/radish.txt',
      'software/oil-1/oil.asd',
      'software/oil-1/oil.lisp',
      'software/radish-1/radish.asd',
      'software/radish-1/radish.lisp',
    ]);
    const told = (name: string): Promise<string> => readFile(path.join(dist!.folder, 'installed', name), 'utf8');
    expect(await told('systems/oil.txt')).toBe('dists/made/software/oil-1/oil.asd\n');
    expect(await told('releases/oil.txt')).toBe('dists/made/software/oil-1/\n');
    expect((await all.plan(['radish'])).wanted).toEqual([]);
    const before = dist!.requested.length;
    await install(all, 'radish');
    expect(dist!.requested.length).toBe(before);
  });

  it('The digest of the contents may be the one in the order of the archive, as quickdist makes it', async () => {
    const files = { 'oil.lisp': '1', 'oil.asd': '(defsystem "oil")' };
    const contentSha1 = createHash('sha1').update(Object.values(files).join('')).digest('hex');
    const all = await libraries({ oil: { files, systems: { oil: [] }, wrong: { contentSha1 } } });
    await install(all, 'oil');
    expect((await all.plan(['oil'])).wanted).toEqual([]);
  });

  it('A symbolic link of an archive is left out, as the client leaves it out', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stage-'));
    const oil = simpleProject('oil');
    await mkdir(path.join(folder, 'oil-1'));
    for (const [name, text] of Object.entries(oil.files)) await writeFile(path.join(folder, 'oil-1', name), text);
    await symlink('/nowhere/at/all', path.join(folder, 'oil-1', 'link.lisp'));
    const archive = await create({ gzip: true, cwd: folder }, ['oil-1']).concat();
    await rm(folder, { recursive: true });
    const all = await libraries({ oil: { ...oil, archive } });
    await install(all, 'oil');
    expect((await filesOfDist()).filter((name) => name.startsWith('software/'))).toEqual([
      'software/oil-1/oil.asd',
      'software/oil-1/oil.lisp',
    ]);
  });

  it.each([
    ['another size', { wrong: { size: '20' } }, /does not have the size that the dist made states/],
    ['another MD5', { wrong: { md5: '0'.repeat(32) } }, /does not have the MD5/],
    ['other contents', { wrong: { contentSha1: '0'.repeat(40) } }, /does not have the contents/],
    ['no archive', { archive: Buffer.from('no archive') }, /The archive/],
  ])('An archive with %s is refused, and nothing of it is left', async (_what, more, said) => {
    const all = await libraries({
      oil: { ...simpleProject('oil'), ...more },
      radish: simpleProject('radish', ['oil']),
    });
    await expect(install(all, 'radish')).rejects.toThrow(said);
    expect(await filesOfDist()).toEqual([]);
  });

  it.each([
    ['leads out of its folder', '../../../outside.lisp'],
    ['is beside the folder of the release', 'elsewhere/file.lisp'],
  ])('An archive with a file that %s is refused, and nothing of it is left', async (_what, name) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stage-'));
    await mkdir(path.join(folder, 'oil-1'), { recursive: true });
    await writeFile(path.join(folder, 'oil-1', 'oil.asd'), '(defsystem "oil")');
    const archive = await create(
      {
        gzip: true,
        cwd: folder,
        preservePaths: true,
        onWriteEntry: (entry) => {
          entry.path = name;
        },
      },
      ['oil-1/oil.asd'],
    ).concat();
    await rm(folder, { recursive: true });
    const all = await libraries({ oil: { ...simpleProject('oil'), archive } });
    await expect(install(all, 'oil')).rejects.toThrow(/leads out of its folder|outside its folder/);
    expect(await filesOfDist()).toEqual([]);
  });

  it('A server that fails in the midst leaves the releases before it complete, and the next try goes on', async () => {
    const all = await libraries(SALAD);
    dist!.answer = (file, response) => {
      if (!file.includes('radish')) return false;
      response.writeHead(503).end();
      return true;
    };
    await expect(install(all, 'lettuce')).rejects.toThrow(/answered with the status 503/);
    expect((await filesOfDist()).filter((name) => name.startsWith('installed/'))).toEqual([
      'installed/releases/oil.txt',
      'installed/systems/oil.txt',
    ]);
    dist!.answer = null;
    await install(all, 'lettuce');
    expect((await all.plan(['lettuce'])).wanted).toEqual([]);
  });

  it('A cancelled installation leaves nothing of the release that was on its way', async () => {
    const all = await libraries(SALAD);
    const cancel = new AbortController();
    dist!.answer = (file, response) => {
      if (!file.endsWith('.tgz')) return false;
      response.writeHead(200);
      response.write('half of it');
      cancel.abort();
      return true;
    };
    await expect(install(all, 'lettuce', cancel.signal)).rejects.toThrow(/abort/i);
    expect(await filesOfDist()).toEqual([]);
  });

  it('Two installations at once both end with complete releases, also where an earlier one was cut off', async () => {
    const all = await libraries(SALAD);
    await mkdir(path.join(dist!.folder, 'software', 'oil-1'), { recursive: true });
    await writeFile(path.join(dist!.folder, 'software', 'oil-1', 'rest'), '');
    const other = new ClientLibraries({ HOME: dist!.home });
    await Promise.all([install(all, 'lettuce'), install(other, 'lettuce')]);
    expect((await all.plan(['lettuce'])).wanted).toEqual([]);
    expect((await filesOfDist()).filter((name) => name.startsWith('software/oil-1/'))).toEqual([
      'software/oil-1/oil.asd',
      'software/oil-1/oil.lisp',
    ]);
  });
});

describe('an index that cannot be trusted [issue 38.3]', () => {
  it.each([
    ['a line that is cut off', 'systems.txt', 'oil\n', /Entry 1 of the dist's systems.txt cannot be read/],
    [
      'a prefix that leads elsewhere',
      'releases.txt',
      `oil u 1 ${'0'.repeat(32)} ${'0'.repeat(40)} ../x oil.asd\n`,
      /not a file name/,
    ],
    [
      'a definition that leads elsewhere',
      'releases.txt',
      `oil u 1 ${'0'.repeat(32)} ${'0'.repeat(40)} x ../oil.asd\n`,
      /outside its folder/,
    ],
    [
      'a size that is no number',
      'releases.txt',
      `oil u many ${'0'.repeat(32)} ${'0'.repeat(40)} x oil.asd\n`,
      /Entry 1/,
    ],
  ])('With %s nothing is planned', async (_what, file, text, said) => {
    const all = await libraries({ oil: simpleProject('oil') });
    await writeFile(path.join(dist!.folder, file), text);
    await expect(all.plan(['oil'])).rejects.toThrow(said);
  });

  it('Without network the index that the client has is used', async () => {
    const all = await libraries({ oil: simpleProject('oil') });
    dist!.answer = (_file, response) => {
      response.destroy();
      return true;
    };
    await expect(all.plan(['oil'])).rejects.toThrow(/could not be reached/);
  });
});
