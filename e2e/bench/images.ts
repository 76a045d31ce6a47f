/** The memory of twenty idle images, compared with twenty plain SBCLs. */
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { evaluateIn, openImage } from './harness/image.ts';
import { compare, type Comparison } from './harness/measure.ts';
import { proportionalSize } from './memory.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { freshRuntime, type Bench } from './harness/setup.ts';

const GOAL = 1.2;
const COUNT = 20;
const CODE = '(+ 1 2 3)';
const ANSWER = '6';

export async function images({ scope }: Bench): Promise<Comparison[]> {
  if (process.platform !== 'linux') throw new Error('Memory is measured on Linux only.');
  const runtime = await freshRuntime(scope);
  const contribs = ['asdf', 'sb-introspect', 'sb-posix', 'sb-bsd-sockets', 'sb-cltl2', 'sb-sprof'];
  const ours = await together((own) => ourImage(runtime, own));
  const plain = await together((own) => plainLisp(runtime, own));
  const withContribs = await together((own) => plainLisp(runtime, own, contribs));
  return [
    compare(`memory of ${COUNT} images / ${COUNT} plain sbcl`, [ours], [plain], GOAL, 'octets'),
    compare('  / plain sbcl with the modules that an image has', [ours], [withContribs], null, 'octets'),
  ];
}

/** Returns the memory that COUNT processes use while all of them are running, in octets. */
async function together(start: (scope: AsyncDisposableStack) => Promise<number>): Promise<number> {
  await using scope = new AsyncDisposableStack();
  const pids: number[] = [];
  for (let index = 0; index < COUNT; index += 1) pids.push(await start(scope));
  const sizes = await Promise.all(pids.map(proportionalSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function ourImage(runtime: Runtime, scope: AsyncDisposableStack): Promise<number> {
  const image = await openImage(runtime, scope);
  expect(await evaluateIn(image, CODE), ANSWER);
  return image.pid!;
}

async function plainLisp(runtime: Runtime, scope: AsyncDisposableStack, modules: string[] = []): Promise<number> {
  const lisp = new PlainLisp(runtime, scope, [...modules.map((name) => `(require :${name})`), READ_EVAL_PRINT]);
  expect(await lisp.ask(CODE, `${ANSWER}\n`), ANSWER);
  return lisp.pid;
}
