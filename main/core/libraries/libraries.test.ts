/** Libraries of a dist: what a name needs, and that only archives of the index are installed, completely or not at all. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import { afterEach, describe, expect, it } from 'vitest';
import { openDist, simpleProject, type DistChoices, type TestDist, type TestProject } from './dist.fixture.ts';
import { ClientLibraries } from './libraries.ts';

let dist: TestDist | undefined;

afterEach(() => dist?.close());

async function libraries(
  projects: Readonly<Record<string, TestProject>>,
  choices: DistChoices = {},
): Promise<ClientLibraries> {
  dist = await openDist(projects, choices);
  return librariesOf(dist);
}

function librariesOf({ home, address, client }: TestDist): ClientLibraries {
  return new ClientLibraries({
    environment: { HOME: home, LISP_WORKBENCH_QUICKLISP_CLIENT: client },
    addresses: () => [address],
    digest: async () => ({ dist: 'made', systems: { other: ['Mixes everything with oil.', 'MIT'] } }),
  });
}

const quietly = { signal: new AbortController().signal, progress: () => {} };

async function install(all: ClientLibraries, name: string, signal = quietly.signal): Promise<void> {
  await all.install([name], { ...quietly, signal });
}

/** Resolves with the projects that an installation of a system would install. */
async function wanted(all: ClientLibraries, name: string): Promise<string[]> {
  const { releases } = await all.plan([name]);
  return releases.filter(({ installed }) => !installed).map(({ project }) => project);
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
    expect(plan.releases.map(({ project }) => project)).toEqual(['oil', 'radish', 'lettuce']);
    expect(plan.missing).toEqual(['of-the-image']);
    expect(plan.size).toBe(plan.releases.reduce((sum, { size }) => sum + size, 0));
    await expect(all.plan(['nothing'])).rejects.toThrow(/^No dist provides nothing\. The enabled dists are: made /);
  });

  it('Systems are found by parts of their names, with what is installed', async () => {
    const all = await libraries(SALAD);
    await install(all, 'oil');
    expect((await all.search(['O'])).found.map(({ system, installed }) => [system, installed])).toEqual([
      ['oil', true],
      ['oil/press', true],
      ['other', false],
    ]);
    expect((await all.search(['o', 'her'])).found.map(({ system }) => system)).toEqual(['other']);
    expect((await all.search([], { installedOnly: true })).found.map(({ system }) => system)).toEqual([
      'oil',
      'oil/press',
    ]);
    expect(await all.search([], { most: 1 })).toMatchObject({ found: [{ system: 'lettuce' }], more: 4 });
  });

  it('Names similar to a misspelled one are offered by a search, a plan and the list of names [issue 38.4]', async () => {
    const all = await libraries(SALAD);
    await install(all, 'oil');
    expect(await all.search(['letuce'])).toMatchObject({ found: [], similar: ['lettuce'] });
    expect((await all.search(['lettuce'])).similar).toEqual([]);
    await expect(all.plan(['raddish'])).rejects.toThrow(
      /^No dist provides raddish\. Did you mean radish\? The enabled/,
    );
    expect(await all.names()).toEqual(['lettuce', 'radish', 'oil', 'oil/press', 'other']);
  });

  it('Systems are found by their descriptions, after those with such a name [issue 38.4]', async () => {
    const all = await libraries({
      ...SALAD,
      lettuce: {
        ...SALAD.lettuce,
        files: { 'lettuce.asd': '(defsystem #:lettuce :license "BSD" :description "Green leaves\n   with oil")' },
        systems: { lettuce: [] },
      },
    });
    const found = async (words: string[]): Promise<unknown[]> =>
      (await all.search(words)).found.map(({ system, description, licence }) => [system, description, licence]);
    expect(await found(['oil'])).toEqual([
      ['oil', null, null],
      ['oil/press', null, null],
      ['other', 'Mixes everything with oil.', 'MIT'],
    ]);
    expect(await found(['green'])).toEqual([]);
    await install(all, 'lettuce');
    expect(await found(['green', 'OIL'])).toEqual([['lettuce', 'Green leaves with oil', 'BSD']]);
  });

  it('A plan says what is installed and which installed systems need it [issue 38.4]', async () => {
    const all = await libraries(SALAD);
    await install(all, 'radish');
    const plan = await all.plan(['oil/press']);
    expect(plan.releases).toMatchObject([{ project: 'oil', release: 'oil-1', installed: true, dist: 'made' }]);
    expect(plan.neededBy).toEqual(['radish']);
    expect(plan.size).toBe(0);
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
    expect(await wanted(all, 'radish')).toEqual([]);
    const before = dist!.requested.length;
    await install(all, 'radish');
    expect(dist!.requested.length).toBe(before);
  });

  it('The digest of the contents may be the one in the order of the archive, as quickdist makes it', async () => {
    const files = { 'oil.lisp': '1', 'oil.asd': '(defsystem "oil")' };
    const contentSha1 = createHash('sha1').update(Object.values(files).join('')).digest('hex');
    const all = await libraries({ oil: { files, systems: { oil: [] }, wrong: { contentSha1 } } });
    await install(all, 'oil');
    expect(await wanted(all, 'oil')).toEqual([]);
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
    expect(await wanted(all, 'lettuce')).toEqual([]);
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

  it('What a killed installation left is removed by the next one, and not what another one is doing', async () => {
    const all = await libraries(SALAD);
    const { pid } = spawnSync('true');
    const [abandoned, running] = [pid, process.pid].map((id) => path.join(dist!.folder, `.installing-${id}-x`));
    for (const folder of [abandoned!, running!]) await mkdir(folder);
    await install(all, 'oil');
    expect((await readdir(dist!.folder)).filter((name) => name.startsWith('.installing'))).toEqual([
      path.basename(running!),
    ]);
  });

  it('A name is found in any case, and the first of two dists with the same name counts', async () => {
    const all = await libraries({ oil: simpleProject('oil') }, { bare: true });
    await install(all, 'OIL');
    expect(await wanted(all, 'Oil')).toEqual([]);
    const twice = new ClientLibraries({
      environment: { HOME: path.join(dist!.home, 'other') },
      addresses: () => [dist!.address, dist!.address],
    });
    expect(await twice.dists()).toHaveLength(1);
  });

  it('Two installations at once both end with complete releases, also where an earlier one was cut off', async () => {
    const all = await libraries(SALAD);
    await mkdir(path.join(dist!.folder, 'software', 'oil-1'), { recursive: true });
    await writeFile(path.join(dist!.folder, 'software', 'oil-1', 'rest'), '');
    const other = librariesOf(dist!);
    await Promise.all([install(all, 'lettuce'), install(other, 'lettuce')]);
    expect(await wanted(all, 'lettuce')).toEqual([]);
    expect((await filesOfDist()).filter((name) => name.startsWith('software/oil-1/'))).toEqual([
      'software/oil-1/oil.asd',
      'software/oil-1/oil.lisp',
    ]);
  });
});

describe('an index that cannot be trusted [issue 38.3]', () => {
  it.each([
    ['a line that is cut off', 'systems.txt', 'oil\n', /is damaged, and could not be fetched again\. Entry 1 of/],
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
    dist!.answer = (_file, response) => {
      response.destroy();
      return true;
    };
    await writeFile(path.join(dist!.folder, file === 'systems.txt' ? 'releases.txt' : 'systems.txt'), '# nothing\n');
    await expect(all.plan(['oil'])).rejects.toThrow(said);
    // Once the server answers, the index is fetched again.
    dist!.answer = null;
    expect(await wanted(all, 'oil')).toEqual(['oil']);
  });

  it.each([
    ['empty', ''],
    ['of something else', '<html>\n'],
  ])('A description of a dist that is %s is named with its file', async (_what, text) => {
    const all = await libraries({ oil: simpleProject('oil') });
    await writeFile(path.join(dist!.folder, 'distinfo.txt'), text);
    await expect(all.plan(['oil'])).rejects.toThrow(`${dist!.folder}/distinfo.txt cannot be used.`);
    expect((await all.overview()).problem).toContain('distinfo.txt cannot be used.');
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

/** Resolves with the names of all files in the home of the person. */
async function filesOfHome(): Promise<string[]> {
  const entries = await readdir(dist!.home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist!.home, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

describe('a home without Quicklisp [issue 38.4]', () => {
  it('The client and the dists are set up, with the files of the client, and a library is installed', async () => {
    const all = await libraries(SALAD, { bare: true });
    expect(await all.overview()).toMatchObject({ hasClient: false, dists: [], unsubscribed: [dist!.address] });
    await all.setUp(quietly);
    expect(await filesOfHome()).toEqual(
      [
        'asdf.lisp',
        'client-info.sexp',
        'dists/made/distinfo.txt',
        'dists/made/enabled.txt',
        'dists/made/preference.txt',
        'dists/made/releases.txt',
        'dists/made/systems.txt',
        'quicklisp/package.lisp',
        'setup.lisp',
      ].map((file) => `quicklisp/${file}`),
    );
    expect(await all.overview()).toMatchObject({
      hasClient: true,
      dists: [{ name: 'made', version: '2026-11-01', systems: 5, releases: 4, installed: 0 }],
      unsubscribed: [],
    });
    await install(all, 'oil');
    expect(await all.overview()).toMatchObject({ dists: [{ installed: 1 }] });
  });

  it('A library is installed without a client too, and the dists are subscribed to then', async () => {
    const all = await libraries(SALAD, { bare: true });
    expect((await all.search(['press'])).found).toHaveLength(1);
    expect(await filesOfHome()).toEqual([]);
    await install(all, 'oil');
    expect(await all.overview()).toMatchObject({ hasClient: false, dists: [{ name: 'made', installed: 1 }] });
  });

  it.each([
    ['has other octets', 'quicklisp.tar', Buffer.alloc(2_048, 'x')],
    ['is cut off', 'asdf.lisp', Buffer.from(';;;')],
    ['is too large', 'setup.lisp', Buffer.alloc(100, 'x')],
  ])('A client whose file %s is refused, and the home stays as it was', async (_what, name, octets) => {
    const all = await libraries(SALAD, { bare: true });
    await writeFile(path.join(dist!.www, 'client', name), octets);
    await expect(all.setUp(quietly)).rejects.toThrow(/does not have the SHA-256|larger than/);
    expect(await readdir(dist!.home)).toEqual([]);
  });

  it('Cancelled in the middle, the home stays as it was', async () => {
    const all = await libraries(SALAD, { bare: true });
    const cancel = new AbortController();
    dist!.answer = (file) => {
      if (file.endsWith('asdf.lisp')) cancel.abort();
      return false;
    };
    await expect(all.setUp({ ...quietly, signal: cancel.signal })).rejects.toThrow(/abort/i);
    expect(await readdir(dist!.home)).toEqual([]);
  });

  it('A description of a client that cannot be read is refused', async () => {
    const all = await libraries(SALAD, { bare: true });
    await writeFile(path.join(dist!.www, 'client', 'client-info.sexp'), '<html>');
    await expect(all.setUp(quietly)).rejects.toThrow(/^The description of the Quicklisp client has no usable/);
  });
});

const NEXT = {
  lettuce: simpleProject('lettuce', ['radish']),
  radish: { ...simpleProject('radish', ['oil/press', 'of-the-image']), kept: true },
  oil: { ...simpleProject('oil'), systems: { oil: [], 'oil/press': ['oil'] } },
  vinegar: simpleProject('vinegar'),
};

describe('another version of a dist [issue 38.4]', () => {
  it('A removed project is listed with the installed projects that need it and remain', async () => {
    const { oil: _oil, ...rest } = NEXT;
    const all = await libraries(SALAD, { next: rest });
    await install(all, 'other');
    const update = (await all.compare('made', null))!;
    expect(update.removed).toEqual([
      { project: 'oil', neededBy: ['radish'] },
      { project: 'other', neededBy: [] },
    ]);
  });

  it('An update is described by three lists, and replaces what is installed', async () => {
    const all = await libraries(SALAD, { next: NEXT });
    await install(all, 'radish');
    await install(all, 'other');
    expect(await all.versions('made')).toEqual(['2026-12-01', '2026-11-01']);
    const update = (await all.compare('made', null))!;
    expect(update).toMatchObject({
      before: '2026-11-01',
      after: '2026-12-01',
      added: ['vinegar-2'],
      changed: [
        { project: 'lettuce', before: 'lettuce-1', after: 'lettuce-2' },
        { project: 'oil', before: 'oil-1', after: 'oil-2' },
      ],
      removed: [{ project: 'other', neededBy: [] }],
      used: ['lettuce', 'oil', 'other'],
    });
    await all.update('made', update.after, quietly);
    expect((await filesOfDist()).filter((name) => !name.endsWith('.lisp'))).toEqual([
      'archives/lettuce-2.tgz',
      'archives/oil-2.tgz',
      'archives/radish-1.tgz',
      'installed/releases/lettuce.txt',
      'installed/releases/oil.txt',
      'installed/releases/radish.txt',
      'installed/systems/lettuce.txt',
      'installed/systems/oil.txt',
      'installed/systems/radish.txt',
      'releases.txt',
      'software/lettuce-2/lettuce.asd',
      'software/oil-2/oil.asd',
      'software/radish-1/radish.asd',
      'systems.txt',
    ]);
    expect(await all.compare('made', null)).toBeNull();
  });

  it('A dist goes back to an older version', async () => {
    const all = await libraries(SALAD, { next: NEXT });
    await install(all, 'oil');
    await all.update('made', '2026-12-01', quietly);
    expect(await all.compare('made', '2026-11-01')).toMatchObject({ after: '2026-11-01', added: ['other-1'] });
    await all.update('made', '2026-11-01', quietly);
    expect((await filesOfDist()).filter((name) => name.startsWith('software/'))).toEqual([
      'software/oil-1/oil.asd',
      'software/oil-1/oil.lisp',
    ]);
    await expect(all.compare('made', '1999-01-01')).rejects.toThrow('The dist made has no version 1999-01-01.');
  });

  it('An update that fails for one release changes nothing', async () => {
    const all = await libraries(SALAD, { next: { ...NEXT, oil: { ...NEXT.oil, wrong: { md5: '0'.repeat(32) } } } });
    await install(all, 'lettuce');
    const before = await filesOfDist();
    await expect(all.update('made', '2026-12-01', quietly)).rejects.toThrow(/does not have the MD5/);
    expect(await filesOfDist()).toEqual(before);
    expect(await all.overview()).toMatchObject({ dists: [{ version: '2026-11-01' }] });
  });

  it('A second dist is subscribed to once', async () => {
    const all = await libraries(SALAD);
    await expect(all.addDist(dist!.address)).rejects.toThrow(/is already subscribed to a dist called made/);
    const other = await openDist({ vinegar: simpleProject('vinegar') });
    const info = await readFile(path.join(other.www, 'made.txt'), 'utf8');
    await writeFile(path.join(other.www, 'made.txt'), info.replace('name: made', 'name: other'));
    await all.addDist(other.address);
    expect((await all.overview()).dists.map(({ name }) => name)).toEqual(['other', 'made']);
    expect((await all.search(['vinegar'])).found).toMatchObject([{ dist: 'other' }]);
    await other.close();
  });
});

it('A download goes on where it was after the connection is lost [issue 38.3]', async () => {
  const all = await libraries({ oil: simpleProject('oil') });
  const octets = await readFile(path.join(dist!.www, 'oil-1.tgz'));
  const ranges: (string | undefined)[] = [];
  dist!.answer = (file, response) => {
    if (!file.endsWith('.tgz')) return false;
    const { range } = response.req.headers;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': octets.length - from });
    if (from > 20) response.end(octets.subarray(from));
    else response.write(octets.subarray(from, from + 20), () => response.destroy());
    return true;
  };
  await install(all, 'oil');
  expect(ranges).toEqual([undefined, 'bytes=20-', 'bytes=40-']);
  expect(await wanted(all, 'oil')).toEqual([]);
});
