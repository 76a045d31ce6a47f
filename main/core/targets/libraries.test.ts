/** Libraries for an image on a target: installed on this machine, and carried to the target. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDist, simpleProject, type TestDist } from '#core/libraries/dist.fixture.ts';
import { AGENT } from '#core/sessions/session.fixture.ts';
import { sessionLibraries } from '#core/sessions/systems/quicklisp.fixture.ts';
import { CACHE_THERE, commandTarget, FAR_GUARD_MS, openTargetSession, type TargetSession } from './targets.fixture.ts';

const SALAD = { radish: simpleProject('radish', ['oil']), oil: simpleProject('oil') };

let dist: TestDist;
let folder: string;
let test: TargetSession;
const asked: string[] = [];

beforeEach(async () => {
  asked.length = 0;
  dist = await openDist(SALAD);
  folder = await mkdtemp(path.join(tmpdir(), 'home-there-'));
});
afterEach(async () => {
  await test.close();
  await dist.close();
  await rm(folder, { recursive: true, force: true });
  await rm(path.join(CACHE_THERE, 'lisp-workbench', 'libraries'), { recursive: true, force: true });
});

/** Opens an image on a target whose home has no client. */
async function open(): Promise<void> {
  const environment = { ...process.env, HOME: dist.home };
  test = await openTargetSession(
    commandTarget({ place: `env HOME=${folder} XDG_CACHE_HOME=${CACHE_THERE}`, directory: folder }),
    { environment, libraries: sessionLibraries(environment), effects: 'ask' },
  );
  test.session.events.on('effect-requested', ({ effect }) => {
    asked.push(effect);
    void test.session.decideEffect(effect, { decision: 'proceed', path: null, reason: null });
  });
}
const install = async (name: string): Promise<string> => {
  const run = { evaluation: randomUUID(), actor: AGENT, context: AGENT.id };
  const { reply } = await test.session.run('install-library', run, { name }, 'install');
  return reply.status === 'ok' ? 'ok' : (reply.condition?.message ?? reply.status);
};

it(
  'A library is installed here and carried there with one approval, and loads there [issue 38.3]',
  { timeout: FAR_GUARD_MS },
  async () => {
    await open();
    expect(await install('radish')).toBe('ok');
    expect(asked).toHaveLength(1);
    const there = path.join(CACHE_THERE, 'lisp-workbench', 'libraries');
    expect(existsSync(path.join(there, 'dists', 'made', 'software', 'radish-1', 'radish.asd'))).toBe(true);
    expect(await test.say('(asdf:load-system :radish) (radish::find-me)')).toBe(':RADISH');
    expect(await test.say('(namestring (asdf:system-source-file :oil))')).toBe(
      JSON.stringify(path.join(there, 'dists', 'made', 'software', 'oil-1', 'oil.asd')),
    );
    // What is there already is not carried again.
    expect(await install('radish')).toBe('ok');
    expect(asked).toHaveLength(1);
  },
);

it('A target that cannot take them is named with its reason [issue 38.3]', { timeout: FAR_GUARD_MS }, async () => {
  await open();
  await test.session.start();
  await writeFile(path.join(CACHE_THERE, 'lisp-workbench', 'libraries'), 'a file, not a folder');
  expect(await install('radish')).toMatch(
    /^The libraries for radish were not installed\. The libraries were installed here, but could not be carried to the target devbox\. /,
  );
});
