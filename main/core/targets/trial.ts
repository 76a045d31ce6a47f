/** Tries the steps of an image's start on a target. Leaves nothing there except the engine's core. */
import type { z } from 'zod';
import type { Target, targetCalls } from '#contract/target.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import { LispImage } from '#core/lisp/image.ts';
import type { ImageMemory } from '#core/lisp/process.ts';
import { PathTranslation } from './paths.ts';
import { prepare, type Prepared, type PreparationRequest } from './preparation.ts';
import { TargetHost } from './target-host.ts';

type Steps = z.infer<(typeof targetCalls)['target.try']['output']>['steps'];

interface TrialOptions extends Omit<PreparationRequest, 'anew' | 'reached' | 'cache'> {
  readonly memory: ImageMemory;
}

const TITLES = ['Connect', 'SBCL', 'Engine', 'Image', 'First form'] as const;

/** Resolves with the steps in order. The first step that is not `ok` is the last, and its text contains advice. */
export async function tryTarget(options: TrialOptions): Promise<Steps> {
  const { target, directory, environment, memory } = options;
  const steps: Steps = [];
  const done = (words: string): void => {
    steps.push({ title: TITLES[steps.length]!, ok: true, words });
  };
  let built = false;
  let image: LispImage | null = null;
  try {
    const prepared = await prepare({
      ...options,
      cache: null,
      anew: false,
      reached(step, words) {
        if (step === 'connected') done(`A shell answers on ${placeOf(target)}.`);
        else if (step === 'sbcl') done(`${words}.`);
        else if (step === 'building') built = true;
        else done(`${built ? 'The engine was built on the target' : 'The engine is on the target'}: ${words}`);
      },
    });
    image = imageAt(target, prepared, directory, environment, memory);
    const { pid } = await image.ready;
    done(`An image starts in ${directory ?? 'the home folder'}, as process ${image.shownPid(pid)} there.`);
    done(`It evaluates: (+ 1 2) is ${await firstValue(image)}.`);
  } catch (error) {
    steps.push({ title: TITLES[steps.length]!, ok: false, words: messageOf(error) });
  }
  image?.kill(endReasons.targetTried);
  await image?.ended;
  return steps;
}

function imageAt(
  target: Target,
  prepared: Prepared,
  directory: string | null,
  environment: NodeJS.ProcessEnv,
  memory: ImageMemory,
): LispImage {
  const paths = new PathTranslation(() => ({ target: target.name, here: null, there: null }));
  return new LispImage(new TargetHost({ target, prepared, directory, memory, environment, paths }));
}

async function firstValue(image: LispImage): Promise<string> {
  const { values, condition } = await image.request('evaluate', {
    evaluation: 'trial',
    context: 'trial',
    actor: PERSON.id,
    code: '(+ 1 2)',
    package: null,
    interactive: false,
    source: null,
    outputLimit: 1000,
    valueLimit: 1000,
    keepValues: false,
    onError: 'report',
    guard: false,
  });
  if (condition) throw new WorkbenchError('no-image', `${condition.type}: ${condition.message}`);
  return values[0]?.text ?? '';
}

function placeOf({ kind, place }: Target): string {
  return kind === 'command' ? `the other side of ${place}` : place;
}
