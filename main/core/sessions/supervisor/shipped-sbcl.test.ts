import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { coreName, ensureRuntime } from '#core/lisp/start/runtime.ts';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { shippedBeside } from '#core/lisp/start/shipped.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { openTestSession, type TestSession } from '../session.fixture.ts';
import type { SessionOptions } from './recovery.ts';

const own = mkdtempSync(path.join(tmpdir(), 'package-'));
const sources = path.join(own, 'lisp');
const cache = path.join(own, 'cache');
const { program, core } = shippedBeside(sources, 'linux');
const machine = await findSbcl(null);
const built = path.join(TEST_CACHE, await coreName(machine, findSources(import.meta.dirname)));
const wall = { hidden: [], cache };
const canWall = await prepareSandbox(wall, process.env, tmpdir()).then(
  () => true,
  () => false,
);

let test: TestSession | null = null;

/** Creates the files of an installed package: the sources, an SBCL in a separate folder, and the core. */
beforeAll(() => {
  for (const folder of [cache, path.dirname(program), path.join(own, 'sbcl', 'lib')])
    mkdirSync(folder, { recursive: true });
  symlinkSync(findSources(import.meta.dirname), sources);
  copyFileSync(machine.path, program);
  const homes = [path.join(path.dirname(machine.path), '..', 'lib', 'sbcl'), '/usr/local/lib/sbcl', '/usr/lib/sbcl'];
  symlinkSync(
    homes.find((home) => existsSync(path.join(home, 'sbcl.core')))!,
    path.join(own, 'sbcl', 'lib', 'sbcl'),
  );
});

afterEach(async () => {
  await test?.close();
  test = null;
  rmSync(core, { force: true });
});

afterAll(() => rmSync(own, { recursive: true }));

async function start(options: Partial<SessionOptions> = {}): Promise<TestSession> {
  const runtime = async () => ensureRuntime(await findSbcl(null, process.env, sources), sources, cache);
  // Simulates a user who also has another SBCL.
  test = await openTestSession({ runtime, environment: { ...process.env, SBCL_HOME: '/nowhere' }, ...options });
  return test;
}

const RUNTIME = '(list (namestring sb-ext:*runtime-pathname*) (sb-ext:posix-getenv "SBCL_HOME"))';

describe('SBCL that the package brings along', () => {
  it('The SBCL of the package goes before that of the machine, starts from the core of the package, and finds its contribs', async () => {
    copyFileSync(built, core);
    const { say } = await start();
    expect(await say(RUNTIME)).toBe(`("${program}" NIL)`);
    expect(await say('(progn (require :sb-md5) (require :sb-simd) (find-package :sb-md5))')).toContain('SB-MD5');
    expect(readdirSync(cache).filter((name) => name.endsWith('.core'))).toEqual([]);
  });

  it('An SBCL that somebody names goes before that of the package', async () => {
    expect(await findSbcl(machine.path, process.env, sources)).toMatchObject({ path: machine.path, shipped: null });
  });

  it('A core of the package that is damaged is built anew among the person’s own', async () => {
    writeFileSync(
      `${program}.copying`,
      `#!/bin/sh\ncase "$*" in *build.lisp*) exec cp '${built}' "$LISP_WORKBENCH_CORE" ;; esac\nexec '${program}' "$@"\n`,
    );
    chmodSync(`${program}.copying`, 0o755);
    copyFileSync(built, core);
    truncateSync(core, 5_000_000);
    const sbcl = { ...(await findSbcl(null, process.env, sources)), path: `${program}.copying` };
    const { say } = await start({ runtime: () => ensureRuntime(sbcl, sources, cache) });
    expect(await say('(+ 1 2)')).toBe('3');
    expect(readdirSync(cache).filter((name) => name.endsWith('.core'))).toHaveLength(1);
    expect(existsSync(core)).toBe(true);
  });

  it('An image in the sandbox finds the contribs of a package that lies among what is hidden', async () => {
    copyFileSync(built, core);
    const { say } = await start({ sandbox: () => wall });
    const found = await say(`(progn (require :sb-md5) ${RUNTIME})`).catch((error: unknown) => String(error));
    // On a machine without namespaces, no image starts.
    expect(found).toMatch(canWall ? `("${program}" NIL)` : /The image is to run in a sandbox/);
  });
});
