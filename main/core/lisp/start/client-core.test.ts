/** Cores that contain a Quicklisp client: what an image that starts from one is like, and when another core is built. */
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestSession, testOptions } from '#core/sessions/session.fixture.ts';
import { makeQuicklisp, sessionLibraries } from '#core/sessions/systems/quicklisp.fixture.ts';
import { ClientCores } from './client-core.ts';
import { findSources } from './sources.ts';

let home: string;
let project: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  project = path.join(home, 'work', 'project');
  await mkdir(project, { recursive: true });
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('a core with a client [issue 38.2]', () => {
  it('An image that starts from it has the client and nothing of it in its lists, and another core follows a changed client', async () => {
    const cache = path.join(home, 'cache');
    await mkdir(cache);
    const setup = await makeQuicklisp(path.join(home, 'quicklisp'), ['lettuce']);
    const cores = new ClientCores(findSources(import.meta.dirname), cache);
    const engine = await testOptions(project).runtime();
    expect(await cores.with(engine, setup)).toEqual(engine);
    await cores.prepare(engine, setup);
    const runtime = await cores.with(engine, setup);
    expect(runtime.core).toMatch(/engine-client-\w+\.core$/);

    const environment = { ...process.env, HOME: home };
    const test = await openTestSession({
      runtime: async () => runtime,
      environment,
      libraries: sessionLibraries(environment),
    });
    try {
      expect(await test.say('(ql:quickload :lettuce) (lettuce::find-me)')).toBe(':LETTUCE');
      expect(await test.session.reset(PERSON)).toEqual([]);
      expect(await test.say('(lettuce::find-me)')).toBe(':LETTUCE');
      const { packages } = await test.session.lookUp('definitions', { packages: null, text: null, most: 99, room: 99 });
      expect(packages.map((each) => each.package)).toEqual(['LETTUCE', 'COMMON-LISP-USER']);
      const { libraries } = await test.session.lookUp('systems', {});
      expect(libraries).toContainEqual({ kind: 'quicklisp', path: setup, active: true });
    } finally {
      await test.close();
    }

    await appendFile(path.join(home, 'quicklisp', 'quicklisp', 'client.lisp'), '\n(defvar *newer* t)\n');
    expect(await cores.with(engine, setup)).toEqual(engine);
  });

  it('A client that cannot be read or does not load leaves the core of the engine', async () => {
    const cores = new ClientCores(findSources(import.meta.dirname), path.join(home, 'cache'));
    const engine = await testOptions(project).runtime();
    const without = path.join(home, 'without', 'setup.lisp');
    await cores.prepare(engine, without);
    expect(await cores.with(engine, without)).toEqual(engine);
    const broken = await makeQuicklisp(path.join(home, 'broken'), [], '(error "half a download")');
    await expect(cores.prepare(engine, broken)).rejects.toThrow(/half a download/);
    expect(await cores.with(engine, broken)).toEqual(engine);
  });
});
