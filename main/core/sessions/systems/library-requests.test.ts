/** Libraries that code in an image asks for: one effect, installed by the core from a real archive, or not at all. */
import { existsSync } from 'node:fs';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDist, simpleProject, type TestDist, type TestProject } from '#core/libraries/dist.fixture.ts';
import type { Effect } from '#contract/decisions/effect.ts';
import type { WantedRelease } from '#core/libraries/closure.ts';
import { ClientLibraries } from '#core/libraries/libraries.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { Effects } from '../effects.ts';
import { LibraryRequests } from './library-requests.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import type { SessionOptions } from '../supervisor/recovery.ts';
import { makeClientOfDist } from './quicklisp.fixture.ts';

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
): Promise<Effect<'waiting'>[]> {
  dist = await openDist(projects);
  await makeClientOfDist(dist);
  for (const file of ['releases.txt', 'systems.txt'])
    await copyFile(path.join(dist.www, '2026-11-01', file), path.join(dist.folder, file));
  const environment = { ...process.env, HOME: dist.home };
  test = await openTestSession({ environment, libraryTool: () => null, ...options });
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
  expect(await test.say('(ql:quickload :radish)', { actor: AGENT })).toContain(
    'A person can install them with: lisp-workbench install radish.',
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
  const requests = new LibraryRequests({
    effects,
    image: () => image,
    tool: () => ({ kind: 'quicklisp', path: setup }),
    environment: {},
  });
  const all = new ClientLibraries({ environment: { HOME: dist.home }, addresses: () => [] });
  const [{ release }] = (await all.closure(['oil'])) as [WantedRelease];
  const { project, prefix, size } = release;
  const releases = [{ dist: 'made', version: '1', project, prefix, size, md5: md5 ?? release.md5 }];
  await requests.wanted({ event: 'libraries-wanted', request: 'l1', evaluation: 'call', actor, home, releases });
  expect(answers).toEqual([{ request: 'l1', problem: expect.stringMatching(said) }]);
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
