/** What the guard costs: code of an agent against the same code of the person, in the same image. */
import { openImage, timedInside } from './image.ts';
import { compare, interleave, type Comparison } from './measure.ts';
import { freshRuntime, type Bench } from './setup.ts';

const GOAL = 1.02;
const FORMS = {
  'a loop of 1,000,000':
    '(let ((sum 0)) (loop repeat 1000000 do (setf sum (logxor (1+ sum) (length (list sum sum))))) (plusp sum))',
  'opening 10,000 files for input': '(loop repeat 10000 do (close (open "/dev/null")))',
};

export async function guard({ scope }: Bench): Promise<Comparison[]> {
  const image = await openImage(await freshRuntime(scope), scope);
  const comparisons: Comparison[] = [];
  for (const [what, form] of Object.entries(FORMS)) {
    const taken = await interleave(
      {
        guarded: () => timedInside(image, form, { guard: true, actor: 'client:bench' }),
        unguarded: () => timedInside(image, form),
      },
      { warmUp: 3, rounds: 40, inARow: 1 },
    );
    comparisons.push(compare(`guarded / not guarded: ${what}`, taken.guarded, taken.unguarded, GOAL));
  }
  return comparisons;
}
