/** The start of a new image, compared with an SBCL whose core does not contain the engine and prints one character as soon as it runs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { LispImage } from '#core/lisp/image.ts';
import { LocalHost } from '#core/lisp/local-host.ts';
import { ensureRuntime, type Runtime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { Session } from '#core/sessions/session.ts';
import { compare, interleave, type Comparison, type Sample } from './harness/measure.ts';
import { freshRuntime, heapMegabytes, memory, temporaryFolder, type Bench } from './harness/setup.ts';

const GOAL = 2;

export async function start({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const taken = await interleave(
    { empty: await emptyCore(runtime, scope), image: () => newImage(runtime), session: () => newSession(runtime) },
    { warmUp: 3, rounds: 40, inARow: 1 },
  );
  return [
    compare('new image ready / sbcl with an empty toplevel', taken.image, taken.empty, GOAL),
    compare('  with SBCL and core looked up first', taken.session, taken.empty, null),
  ];
}

/** Measures the milliseconds from the start of the process to its first octet, with the flags of an image. */
async function emptyCore({ sbcl }: Runtime, scope: AsyncDisposableStack): Promise<Sample> {
  const core = path.join(await temporaryFolder(scope, 'core'), 'empty.core');
  const toplevel = '(lambda () (write-char #\\.) (finish-output) (sb-ext:exit :abort t))';
  const save = `(sb-ext:save-lisp-and-die ${JSON.stringify(core)} :toplevel ${toplevel})`;
  await promisify(execFile)(sbcl.path, [
    '--noinform',
    '--non-interactive',
    '--no-sysinit',
    '--no-userinit',
    '--eval',
    save,
  ]);
  const space = ['--dynamic-space-size', `${heapMegabytes}MB`, '--control-stack-size', '16MB'];
  const flags = ['--core', core, '--noinform', '--disable-ldb', ...space, '--end-runtime-options'];
  return async () => {
    const started = performance.now();
    const child = spawn(sbcl.path, flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    const closed = once(child, 'close');
    const first = await Promise.race([once(child.stdout, 'data'), closed]);
    const took = performance.now() - started;
    if (!Buffer.isBuffer(first[0])) throw new Error('SBCL with an empty toplevel ended without a word.');
    await closed;
    return took;
  };
}

async function newImage(runtime: Runtime): Promise<number> {
  const started = performance.now();
  const image = new LispImage(new LocalHost({ runtime, directory: tmpdir(), environment: process.env, memory }));
  try {
    await image.ready;
    return performance.now() - started;
  } finally {
    image.kill('The benchmark is over.');
    await image.ended;
  }
}

/**
 * Measures the time that a person waits before a first evaluation: finding SBCL, checking that its core matches the sources, and starting
 * the image.
 */
async function newSession({ sbcl, core }: Runtime): Promise<number> {
  const session = new Session('bench', {
    runtime: async () => ensureRuntime(await findSbcl(sbcl.path), findSources(import.meta.dirname), path.dirname(core)),
    directory: tmpdir,
    environment: process.env,
    memory: () => memory,
    checkpoints: false,
    worlds: tmpdir(),
  });
  try {
    const started = performance.now();
    await session.start();
    return performance.now() - started;
  } finally {
    await session.dispose();
  }
}
