/** An image in which all that an agent asks for is denied, and one file of the person's that must stay, for tests of the guard. */
import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import type { EffectRecord } from '#contract/effect.ts';
import { AGENT, decideAll } from './effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

type Evaluation = ReturnType<TestImage['evaluate']>;

export interface GuardedImage {
  readonly image: TestImage;
  /** Absolute path of the person's file, which is there and holds `kept` when a test begins. */
  readonly file: string;
  /** What was asked since the test began, oldest first. */
  readonly asked: EffectRecord[];
  /** Evaluates as an agent; `@` in the code stands for the file. */
  readonly byAgent: (code: string, more?: Record<string, unknown>) => Evaluation;
  /** The same as the person. */
  readonly person: (code: string) => Evaluation;
}

/** For the top of a test file. */
export async function guardedImage(): Promise<GuardedImage> {
  const image = await openTestImage();
  const file = path.join(await realpath(image.directory), 'file');
  const asked = decideAll(image, 'deny');
  beforeEach(async () => {
    await writeFile(file, 'kept');
    asked.length = 0;
  });
  afterAll(() => image.close());
  const naming = (code: string): string => code.replaceAll('@', JSON.stringify(file));
  return {
    image,
    file,
    asked,
    byAgent: (code, more = {}) => image.evaluate(naming(code), { ...AGENT, ...more }),
    person: (code) => image.evaluate(naming(code)),
  };
}
