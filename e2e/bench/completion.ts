/** Completion over the wire, compared with APROPOS-LIST of the same prefix inside the same image. */
import { openImage, timedInside } from './harness/image.ts';
import { compare, interleave, timed, type Comparison } from './harness/measure.ts';
import { freshRuntime, type Bench } from './harness/setup.ts';

const GOAL = 1;
const LIMIT = 200;
const PREFIXES = ['m', 'ma', 'mvb', 'make-', 'with-o', 'string-'];

export async function completion({ scope }: Bench): Promise<Comparison[]> {
  const image = await openImage(await freshRuntime(scope), scope);
  const comparisons: Comparison[] = [];
  for (const prefix of PREFIXES) {
    const complete = async (): Promise<void> => {
      const { completions } = await image.request('complete', {
        context: 'bench',
        package: 'COMMON-LISP-USER',
        prefix,
        text: null,
        offset: null,
        limit: LIMIT,
      });
      if (completions.length === 0) throw new Error(`Nothing completes ${prefix}.`);
    };
    const taken = await interleave(
      {
        ours: () => timed(complete),
        aproposList: () => timedInside(image, `(apropos-list ${JSON.stringify(prefix)})`),
      },
      { warmUp: 2, rounds: 20, inARow: 3 },
    );
    comparisons.push(
      compare(`complete ${JSON.stringify(prefix)} / apropos-list in the image`, taken.ours, taken.aproposList, GOAL),
    );
  }
  return comparisons;
}
