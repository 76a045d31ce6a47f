/** Creating a checkpoint and going back to it, compared with a bare fork of the same heap in the same image. */
import type { LispImage } from '#core/lisp/image.ts';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { BARE_FORK, evaluateIn, openImage, timedInside } from './harness/image.ts';
import { compare, interleave, timed, type Comparison } from './harness/measure.ts';
import { freshRuntime, type Bench } from './harness/setup.ts';

const GOAL = 1.5;
const MEGABYTES = [0, 200];

export async function checkpoint({ scope }: Bench): Promise<Comparison[]> {
  if (process.platform === 'win32') throw new Error('Windows has no fork.');
  const runtime = await freshRuntime(scope);
  const comparisons: Comparison[] = [];
  for (const megabytes of MEGABYTES) comparisons.push(...(await withHeap(megabytes, runtime)));
  return comparisons;
}

async function withHeap(megabytes: number, runtime: Runtime): Promise<Comparison[]> {
  await using scope = new AsyncDisposableStack();
  const image = await openImage(runtime, scope);
  // Makes lists instead of one vector, because a program's heap consists of small objects.
  await evaluateIn(
    image,
    `(progn (defvar *heap* (make-list ${(megabytes * 1024 * 1024) / 16})) (sb-ext:gc :full t) nil)`,
  );
  await evaluateIn(image, BARE_FORK);
  const taken = await interleave(
    {
      fork: () => timedInside(image, '(bare-fork)'),
      checkpoint: () => checkpointOnce(image),
      rewind: () => rewindOnce(image),
    },
    { warmUp: 2, rounds: 25, inARow: 1 },
  );
  const heap = megabytes === 0 ? 'a new image' : `${megabytes} MB more`;
  return [
    compare(`checkpoint of ${heap} / bare fork`, taken.checkpoint, taken.fork, GOAL),
    compare(`rewind of ${heap} / bare fork`, taken.rewind, taken.fork, GOAL),
  ];
}

async function checkpointOnce(image: LispImage): Promise<number> {
  let copy = 0;
  const took = await timed(async () => {
    copy = await copied(image);
  });
  image.drop(copy);
  return took;
}

/** Returns the milliseconds from the request to go back to the first message of the resumed checkpoint's process. */
async function rewindOnce(image: LispImage): Promise<number> {
  const copy = await copied(image);
  return timed(async () => {
    const over = image.lifeOver;
    image.endLife('The benchmark goes back.');
    await over;
    await image.wake(copy);
  });
}

async function copied(image: LispImage): Promise<number> {
  const made = await image.checkpoint();
  if ('reason' in made) throw new Error(made.reason);
  return made.pid;
}
