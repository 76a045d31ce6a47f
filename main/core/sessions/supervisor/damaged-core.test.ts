import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { coreName, ensureRuntime } from '#core/lisp/start/runtime.ts';
import { findSbcl, type Sbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { openTestSession, type TestSession } from '../session.fixture.ts';

const sources = findSources(import.meta.dirname);
const real = await findSbcl(null);

/** The real SBCL, with one change: it copies the test run's core instead of building one. The tests check when a core is built. */
let sbcl: Sbcl;
let name: string;
let folder: string;
let cache: string;
let core: string;
const open: TestSession[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cores-'));
  sbcl = await copyingSbcl();
  name = await coreName(sbcl, sources);
  cache = path.join(folder, 'cache');
  core = path.join(cache, name);
  await mkdir(cache);
});

afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<TestSession> {
  const test = await openTestSession({ runtime: () => ensureRuntime(sbcl, sources, cache) });
  open.push(test);
  return test;
}

describe('core that is damaged from outside', () => {
  it.each<[string, () => Promise<void>]>([
    ['cut short', async () => copyFile(await builtCore(), core).then(() => truncate(core, 5_000_000))],
    ['of an SBCL that was replaced', () => copyForeignCore()],
  ])('A core that is %s is built anew', async (_how, damage) => {
    await damage();
    expect(await (await start()).say('(+ 1 2)')).toBe('3');
    expect((await stat(core)).size).toBeGreaterThan(20_000_000);
  });

  it('What an SBCL says of a core that is no core belongs to no evaluation', async () => {
    const test = await start();
    const printed: string[] = [];
    test.session.events.on('output', ({ text }) => printed.push(text));
    await writeFile(core, 'no core\n'.repeat(1000));
    await Promise.all([test.say('(sb-ext:exit :code 3 :abort t)').catch(() => {}), test.say(':after').catch(() => {})]);
    expect(await test.say('(+ 1 2)')).toBe('3');
    expect(printed.join('')).not.toMatch(/core/);
  });

  it('A damaged core that cannot even be removed is passed over', async () => {
    await mkdir(path.join(core, 'in-the-way'), { recursive: true });
    expect(await (await start()).say('(+ 1 2)')).toBe('3');
    expect(existsSync(path.join(core, 'in-the-way'))).toBe(true);
  });

  it('A cache that was deleted is made again for the next image', async () => {
    await copyFile(await builtCore(), core);
    const test = await start();
    expect(await test.say('(+ 1 2)')).toBe('3');
    await rm(cache, { recursive: true });
    expect(await test.say('(sb-ext:exit :code 3 :abort t)')).not.toBe('3');
    await expect.poll(() => test.say('(+ 1 2)'), { timeout: 120_000 }).toBe('3');
    expect(await readdir(cache)).toEqual([name]);
  });

  it('A cache that cannot be written does not keep images from starting', async () => {
    await rm(cache, { recursive: true });
    await writeFile(cache, 'a file where the folder should be');
    expect(await (await start()).say('(+ 1 2)')).toBe('3');
  });
});

/** Resolves with the core that was built for the test run. */
async function builtCore(): Promise<string> {
  return path.join(TEST_CACHE, await coreName(real, sources));
}

async function copyingSbcl(): Promise<Sbcl> {
  const file = path.join(folder, 'sbcl');
  const build = `cp '${await builtCore()}' "$LISP_WORKBENCH_CORE"`;
  await writeFile(file, `#!/bin/sh\ncase "$*" in *build.lisp*) exec ${build} ;; esac\nexec '${real.path}' "$@"\n`);
  await chmod(file, 0o755);
  return findSbcl(file);
}

/** Copies SBCL's own core, which lacks the engine. An image that starts from it never reports that it is ready. */
async function copyForeignCore(): Promise<void> {
  const homes = [path.join(path.dirname(real.path), '..', 'lib', 'sbcl'), '/usr/local/lib/sbcl', '/usr/lib/sbcl'];
  const home = homes.find((place) => existsSync(path.join(place, 'sbcl.core')))!;
  await copyFile(path.join(home, 'sbcl.core'), core);
}
