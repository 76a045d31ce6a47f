/** Libraries that code in an image asks for: one effect, installed by the core from a real archive, or not at all. */
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDist, simpleProject, type TestDist, type TestProject } from '#core/libraries/dist.fixture.ts';
import type { Effect } from '#contract/decisions/effect.ts';
import type { WantedRelease } from '#core/libraries/closure.ts';
import { LibraryJobs } from '#core/libraries/library-jobs.ts';
import { ClientLibraries } from '#core/libraries/libraries.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { Effects } from '../effects.ts';
import { LibraryRequests } from './library-requests.ts';
import type { Actor } from '#contract/image/session.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import type { SessionOptions } from '../supervisor/recovery.ts';
import { makeClientOfDist, sessionLibraries } from './quicklisp.fixture.ts';

const SALAD = {
  lettuce: simpleProject('lettuce', ['radish', 'oil']),
  radish: simpleProject('radish', ['oil']),
  oil: simpleProject('oil'),
};

let dist: TestDist;
let test: TestSession;

afterEach(async () => {
  await test.close();
  await dist.close();
});

/** Opens a session whose image has a client with the projects of a dist, and the effects that it asks about. */
async function open(
  projects: Readonly<Record<string, TestProject>>,
  options: Partial<SessionOptions> = {},
  next: Readonly<Record<string, TestProject>> | null = null,
): Promise<Effect<'waiting'>[]> {
  dist = await openDist(projects, next === null ? {} : { next });
  await makeClientOfDist(dist);
  for (const file of ['releases.txt', 'systems.txt'])
    await copyFile(path.join(dist.www, '2026-11-01', file), path.join(dist.folder, file));
  const environment = { ...process.env, HOME: dist.home };
  test = await openTestSession({ environment, libraries: sessionLibraries(environment), ...options });
  const asked: Effect<'waiting'>[] = [];
  test.session.events.on('effect-requested', (effect) => void asked.push(effect));
  return asked;
}

const decide = (decision: 'proceed' | 'deny'): void => {
  test.session.events.on('effect-requested', ({ effect }) => {
    void test.session.decideEffect(effect, { decision, path: null, reason: decision === 'deny' ? 'Not today' : null });
  });
};

const installed = (): string[] | Promise<string[]> =>
  existsSync(path.join(dist.folder, 'installed')) ? readdir(path.join(dist.folder, 'installed', 'releases')) : [];

it('An agent’s library is one effect with every release, its size and its digest, and is loaded after the approval [issue 38.3]', async () => {
  const asked = await open(SALAD, { effects: 'ask' });
  decide('proceed');
  expect(await test.say('(ql:quickload :lettuce) (lettuce::find-me)', { actor: AGENT })).toBe(':LETTUCE');
  expect(asked.map(({ kind, target }) => [kind, target])).toEqual([
    ['install-libraries', '3 releases for lettuce: oil, radish, lettuce'],
  ]);
  expect(asked[0]!.facts).toEqual([
    { name: 'from', value: 'made 2026-11-01' },
    { name: 'size', value: expect.stringMatching(/^[\d,]+ bytes$/) },
    ...['oil', 'radish', 'lettuce'].map((name) => ({
      name,
      value: expect.stringMatching(new RegExp(`^${name}-1, [\\d,]+ bytes, MD5 [\\da-f]{32}$`)),
    })),
  ]);
  expect(await installed()).toEqual(['lettuce.txt', 'oil.txt', 'radish.txt']);
});

it('A denial leaves nothing, and a default denial names the command for a person [issue 38.3]', async () => {
  await open(SALAD, { effects: 'ask' });
  decide('deny');
  expect(await test.say('(ql:quickload :lettuce)', { actor: AGENT })).toMatch(
    /^LISP-WORKBENCH:EFFECT-DENIED: .*Not today/,
  );
  expect(await installed()).toEqual([]);
  await test.close();
  await dist.close();
  await open(SALAD, { effects: 'deny' });
  expect(await test.say('(ql:quickload :radish)', { actor: AGENT })).toMatch(
    /for radish: oil, radish\. A person can install them with: lisp-workbench install radish\. ./,
  );
  expect(await installed()).toEqual([]);
});

it('The person is not asked, and a system of the project gets what it lacks with one request [issue 38.3]', async () => {
  const asked = await open({ ...SALAD, pepper: simpleProject('pepper') }, { effects: 'ask' });
  await writeFile(path.join(test.directory, 'shop.asd'), '(defsystem "shop" :depends-on ("lettuce" "pepper"))');
  const run = { evaluation: 'load', actor: { id: 'person', kind: 'person', name: 'you' } as const, context: 'person' };
  const { reply } = await test.session.compileSystem({ ...run, system: 'shop', force: null });
  expect(reply).toMatchObject({ status: 'ok', result: { loaded: true } });
  expect(asked).toEqual([]);
  expect(await installed()).toEqual(['lettuce.txt', 'oil.txt', 'pepper.txt', 'radish.txt']);
});

it('An archive that is not the one of the index is named, and nothing of it is loaded [issue 38.3]', async () => {
  await open({ oil: { ...simpleProject('oil'), wrong: { md5: 'f'.repeat(32) } } });
  expect(await test.say('(ql:quickload :oil)')).toMatch(
    /^SIMPLE-ERROR: The libraries for oil were not installed\. The archive of oil does not have the MD5 that the dist made states/,
  );
  expect(await test.say('(find-package :oil)')).toBe('NIL');
});

it.each([
  ['was not approved', {}, /^The person has not approved these libraries\./],
  ['names another folder', { actor: 'person', home: '/tmp' }, /^\/tmp is not the folder of the library tool/],
  [
    'has another digest',
    { actor: 'person', md5: 'f'.repeat(32) },
    /^The index of the dist made has changed since oil was/,
  ],
])('A request that code forges and that %s installs nothing [issue 38.3]', async (_what, claim, said) => {
  await open(SALAD);
  const effects = new Effects('ask');
  const {
    actor = 'client:tester',
    home = path.join(dist.home, 'quicklisp'),
    md5,
  } = claim as Partial<Record<string, string>>;
  effects.begin('call', actor);
  const answers: unknown[] = [];
  const image = { request: async (_name: string, answer: unknown) => answers.push(answer) } as unknown as LispImage;
  const setup = path.join(dist.home, 'quicklisp', 'setup.lisp');
  const all = new ClientLibraries({ environment: { HOME: dist.home }, addresses: () => [] });
  const requests = new LibraryRequests({
    libraries: { client: all, jobs: new LibraryJobs(), tool: () => null },
    effects,
    image: () => image,
    tool: () => ({ kind: 'quicklisp', path: setup }),
  });
  const [{ release }] = (await all.releasesFor(['oil'], [])).releases as [WantedRelease];
  const { project, prefix, size } = release;
  const releases = [{ dist: 'made', version: '1', project, prefix, size, md5: md5 ?? release.md5 }];
  await requests.wanted({
    event: 'libraries-wanted',
    request: 'l1',
    subject: 'oil',
    evaluation: 'call',
    actor,
    home,
    releases,
  });
  expect(answers).toMatchObject([{ request: 'l1', problem: expect.stringMatching(said) }]);
  expect(await installed()).toEqual([]);
});

it('An interrupt ends the wait and the download [issue 38.3]', async () => {
  await open(SALAD);
  let reached = (): void => {};
  const arrived = new Promise<void>((resolve) => (reached = resolve));
  dist.answer = (file, response) => {
    if (!file.endsWith('.tgz')) return false;
    response.writeHead(200);
    response.write('half');
    reached();
    return true;
  };
  const evaluation = 'slow-download';
  const loading = test.evaluate('(ql:quickload :lettuce)', { evaluation });
  await arrived;
  await test.session.interrupt(evaluation);
  expect((await loading).report.status).toBe('interrupted');
  await expect
    .poll(async () => (await readdir(dist.folder)).filter((name) => name.startsWith('.installing')))
    .toEqual([]);
  expect(await installed()).toEqual([]);
});

const NEXT = {
  ...SALAD,
  oil: { ...SALAD.oil, files: { ...SALAD.oil.files, 'oil.lisp': '(defpackage :oil (:use :cl))' } },
};

describe('dists that code changes [issue 38.3]', () => {
  const UPDATE = '(ql-dist::update-in-place ql-dist::*dist* (ql-dist::make-dist :name "made" :version "2026-12-01"))';

  it('An update by an agent is one effect, done by the core, and ASDF finds the systems at their new places', async () => {
    const asked = await open(SALAD, { effects: 'ask' }, NEXT);
    decide('proceed');
    await test.say('(ql:quickload :oil)');
    await test.say(UPDATE, { actor: AGENT });
    expect(asked.map(({ kind, target, facts }) => [kind, target, facts])).toEqual([
      [
        'install-libraries',
        'the dist made 2026-12-01',
        [
          { name: 'change', value: 'update made 2026-12-01' },
          { name: 'version', value: '2026-11-01 -> 2026-12-01' },
          { name: 'projects', value: '0 new, 3 changed, 0 removed' },
          { name: 'download', value: expect.stringMatching(/^\d+ bytes$/) },
          { name: 'oil', value: 'oil-1 -> oil-2' },
        ],
      ],
    ]);
    expect(await readFile(path.join(dist.folder, 'distinfo.txt'), 'utf8')).toContain('version: 2026-12-01');
    expect(await test.say('(namestring (asdf:system-source-file (asdf:find-system :oil)))')).toContain(
      '/oil-2/oil.asd',
    );
  });

  it('An agent’s search for an update is the same one effect, and its denial names the command', async () => {
    await open(SALAD, { effects: 'deny' }, NEXT);
    expect(await test.say('(ql::update-dist "made" :prompt nil)', { actor: AGENT })).toContain(
      'A person can do this with: lisp-workbench update made 2026-12-01.',
    );
    expect(await test.say('(ql::update-dist "made")')).toBe('"The client asks the person."');
  });

  it('A denial changes nothing, and a further dist is another effect', async () => {
    const asked = await open(SALAD, { effects: 'ask' }, NEXT);
    decide('deny');
    expect(await test.say(UPDATE, { actor: AGENT })).toMatch(/^LISP-WORKBENCH:EFFECT-DENIED/);
    expect(await test.say(`(ql-dist::install-dist ${JSON.stringify(dist.address)})`, { actor: AGENT })).toMatch(
      /EFFECT-DENIED/,
    );
    expect(asked.at(-1)!.target).toBe(`the dist at ${dist.address}`);
    expect(await readFile(path.join(dist.folder, 'distinfo.txt'), 'utf8')).toContain('version: 2026-11-01');
    expect(await test.say(`(ql-dist::install-dist ${JSON.stringify(dist.address)})`)).toMatch(
      /is already subscribed to a dist called made/,
    );
  });
});

describe('an image without a client [issue 38.3]', () => {
  /** Opens a session whose home has neither a client nor a dist. The dist is at an address that the settings would have. */
  async function openBare(options: Partial<SessionOptions> = {}): Promise<Effect<'waiting'>[]> {
    dist = await openDist(SALAD, { bare: true });
    const environment = { ...process.env, HOME: dist.home };
    const libraries = sessionLibraries(environment, null, {
      addresses: () => [dist.address],
      digest: async () => ({ dist: 'made', systems: { lettuce: ['', 'BSD'] } }),
    });
    test = await openTestSession({ environment, libraries, ...options });
    const asked: Effect<'waiting'>[] = [];
    test.session.events.on('effect-requested', (effect) => void asked.push(effect));
    return asked;
  }
  const said = ({ status, condition }: { status: string; condition?: { message: string } | null }): string =>
    status === 'ok' ? 'ok' : (condition?.message ?? status);
  const runOf = (actor: Actor) => ({ evaluation: randomUUID(), actor, context: actor.id });
  const load = async (system: string, actor: Actor = AGENT): Promise<string> =>
    said((await test.session.loadSystem({ ...runOf(actor), system })).reply);
  const install = async (name: string, actor: Actor = AGENT): Promise<string> =>
    said((await test.session.run('install-library', runOf(actor), { name }, 'install')).reply);

  it('A library with all that it needs is one effect, and ASDF finds it after the approval', async () => {
    const asked = await openBare({ effects: 'ask' });
    decide('proceed');
    expect(await install('lettuce')).toBe('ok');
    expect(asked.map(({ kind, target }) => [kind, target])).toEqual([
      ['install-libraries', '3 releases for lettuce: oil, radish, lettuce'],
    ]);
    expect(await load('lettuce')).toBe('ok');
    expect(await test.say('(lettuce::find-me)')).toBe(':LETTUCE');
    expect(await installed()).toEqual(['lettuce.txt', 'oil.txt', 'radish.txt']);
    expect(await readdir(path.join(dist.home, 'quicklisp'))).toEqual(['dists']);
    // What is installed is there for the next image too.
    await test.session.start();
    expect(await test.say('(asdf:load-system :radish) (radish::find-me)')).toBe(':RADISH');
  });

  it('A dry run lists what an installation would ask about, and changes nothing', async () => {
    const asked = await openBare({ effects: 'ask' });
    await writeFile(path.join(test.directory, 'oil.asd'), '(defsystem "oil")');
    const run = { ...runOf(AGENT) };
    const { reply } = await test.session.run('install-library', run, { name: 'lettuce', dryRun: true }, 'dry run');
    expect(reply.result).toMatchObject({
      installed: [],
      planned: [
        { project: 'radish', prefix: 'radish-1', licence: null },
        { project: 'lettuce', licence: 'BSD' },
      ],
    });
    expect(asked).toEqual([]);
    expect(await readdir(dist.home)).toEqual([]);
  });

  it('A denial leaves the home as it was, and a name that no dist has is reported by ASDF', async () => {
    await openBare({ effects: 'ask' });
    decide('deny');
    expect(await install('lettuce')).toMatch(/Not today/);
    expect(await readdir(dist.home)).toEqual([]);
    expect(await install('cucumber', PERSON)).toBe('No dist provides cucumber.');
    expect(await load('cucumber', PERSON)).toMatch(/Component "cucumber" not found/);
  });

  it('A load fetches no dist before the person or a request for a library has set one up', async () => {
    await openBare();
    expect(await load('lettuce')).toMatch(/Component "lettuce" not found/);
    expect(dist.requested).toEqual([]);
  });

  it('A load without installing reports what is missing', async () => {
    await openBare();
    await install('radish');
    const { reply } = await test.session.loadSystem({ ...runOf(AGENT), system: 'lettuce', install: false });
    expect(said(reply)).toMatch(/Component "lettuce" not found/);
    expect(await installed()).toEqual(['oil.txt', 'radish.txt']);
    expect(await load('radish')).toBe('ok');
  });

  it('A load says which projects it installed', async () => {
    await openBare();
    await install('oil');
    const { reply } = await test.session.loadSystem({ ...runOf(AGENT), system: 'lettuce' });
    expect(reply.result).toMatchObject({ name: 'lettuce', installed: ['radish', 'lettuce'] });
    const again = await test.session.loadSystem({ ...runOf(AGENT), system: 'lettuce' });
    expect(again.reply.result).toMatchObject({ installed: [] });
  });

  it('After an update by the person, a load takes the new version', async () => {
    dist = await openDist(SALAD, { next: NEXT });
    const environment = { ...process.env, HOME: dist.home };
    const libraries = sessionLibraries(environment);
    await rm(path.join(dist.home, 'quicklisp', 'setup.lisp'));
    test = await openTestSession({ environment, libraries });
    expect(await load('oil')).toBe('ok');
    await libraries.client.update('made', '2026-12-01', { signal: new AbortController().signal, progress: () => {} });
    expect(await load('oil')).toBe('ok');
    expect(await test.say('(namestring (asdf:system-source-file :oil))')).toContain('/oil-2/oil.asd');
  });

  it('The card names what is installed already, and the licences that are known', async () => {
    const asked = await openBare({ effects: 'ask' });
    decide('proceed');
    await install('radish');
    await load('lettuce');
    expect(asked[1]!.facts).toEqual(
      expect.arrayContaining([
        { name: 'installed already', value: 'oil, radish' },
        { name: 'lettuce', value: expect.stringMatching(/^lettuce-1, [\d,]+ bytes, licence BSD, MD5 /) },
      ]),
    );
  });
});

it('In a project of qlot, an agent’s library is one effect: the program of qlot in the project [issue 38.6]', async () => {
  dist = await openDist(SALAD);
  const bin = path.join(dist.home, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'qlot'), '#!/bin/sh\necho "$@" >> called; echo added\n', { mode: 0o755 });
  const environment = { ...process.env, HOME: dist.home, PATH: `${bin}:/usr/bin:/bin` };
  test = await openTestSession({ environment, libraries: sessionLibraries(environment), effects: 'ask' });
  await writeFile(path.join(test.directory, 'qlfile'), '');
  const asked: Effect<'waiting'>[] = [];
  test.session.events.on('effect-requested', (effect) => void asked.push(effect));
  decide('proceed');
  const { reply } = await test.session.run(
    'install-library',
    { evaluation: 'add-it', actor: AGENT, context: AGENT.id },
    { name: 'lettuce' },
    'install',
  );
  expect(reply.result).toEqual({ name: 'lettuce', program: 'qlot add lettuce', installed: [], planned: [] });
  expect(asked.map(({ kind, target }) => [kind, target])).toEqual([['run-program', expect.stringContaining('qlot')]]);
  expect(await readFile(path.join(test.directory, 'called'), 'utf8')).toBe('add lettuce\n');
});
