/** An image for tests of the guard, in which all requests of an agent are denied. One of the person's files must never be deleted. */
import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, decideAll } from './effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

/** A method of running an agent's code: the agent's form, the person's form that runs the agent's code, and the form that removes it. */
export type Way = readonly [what: string, define: string, call: string, undo?: string];

type Evaluation = ReturnType<TestImage['evaluate']>;

export interface GuardedImage {
  readonly image: TestImage;
  /** The absolute path of the person's file, which contains `kept` at the beginning of each test. */
  readonly file: string;
  /** The effects that were requested since the start of the current test, oldest first. */
  readonly asked: Effect<'waiting'>[];
  /** Evaluates code as an agent; `@` in the code stands for the file. */
  readonly byAgent: (code: string, more?: Record<string, unknown>) => Evaluation;
  /** Evaluates code as an agent. The evaluation must succeed without requesting approval. */
  readonly agent: (code: string) => Promise<void>;
  /** Evaluates code as the person; `@` in the code stands for the file. */
  readonly person: (code: string) => Evaluation;
  /** Tests that running the agent's definition as the person causes a request about the file. The request is denied. */
  readonly waits: (way: Way) => Promise<void>;
}

/** Opens the image for all tests of a file. Call it at the top of the file. */
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
  const byAgent: GuardedImage['byAgent'] = (code, more = {}) => image.evaluate(naming(code), { ...AGENT, ...more });
  const person: GuardedImage['person'] = (code) => image.evaluate(naming(code));
  const agent = async (code: string): Promise<void> => {
    const before = asked.length;
    const reply = await byAgent(code);
    expect([reply.condition, asked.length]).toEqual([null, before]);
  };
  const waits = async ([, define, call, undo]: Way): Promise<void> => {
    await agent(define);
    await person(call);
    if (undo) await person(undo);
    expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
      ['person', 'DELETE-FILE', 'client:tester'],
    ]);
  };
  return { image, file, asked, byAgent, agent, person, waits };
}
