/** A real image without sessions, for tests of the wire. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definitionKind } from '#contract/image/definition.ts';
import { TEST_CACHE } from './core.fixture.ts';
import { LispImage } from './image.ts';
import { LocalHost } from './local-host.ts';
import type { ImageEvent, LookUpOperation, OperationReply, OperationRequest, RunOperation } from './messages.ts';
import { ensureRuntime } from './start/runtime.ts';
import { findSbcl } from './start/sbcl.ts';
import { findSources } from './start/sources.ts';

/** Fields of a `list-definitions` request that lists all definitions of a package, of every kind. */
export const ALL_LISTED = { context: 'test', groups: [definitionKind.options], start: 0, count: 100_000 };

type RunFields<Name extends RunOperation> = Omit<
  OperationRequest<Name>,
  'evaluation' | 'context' | 'actor' | 'outputLimit' | 'onError' | 'guard'
> &
  Partial<Pick<OperationRequest<'evaluate'>, 'onError'>>;

/**
 * Returns a form whose value is one of the engine's symbols. The form searches memory, because the engine's symbols have been removed from
 * their packages.
 */
export function engineSymbol(name: string): string {
  return `(first (sb-vm:list-allocated-objects :all :type sb-vm:symbol-widetag
    :test (lambda (each) (and (equal "${name}" (symbol-name each)) (symbol-package each)
                              (search "LISP-WORKBENCH/" (package-name (symbol-package each)))))))`;
}

export interface TestImage {
  readonly image: LispImage;
  /** The image's directory, which is empty at first. */
  readonly directory: string;
  /** The events that the image has sent, oldest first. */
  readonly events: ImageEvent[];
  /** Evaluates code in the context `test`, as the person if `more` does not name another actor. */
  evaluate(code: string, more?: Partial<OperationRequest<'evaluate'>>): Promise<OperationReply<'evaluate'>>;
  /** Resolves with the first value of an evaluation as text. @throws Error with the condition if the evaluation failed. */
  value(code: string, more?: Partial<OperationRequest<'evaluate'>>): Promise<string>;
  /** Sends a request that does not have to wait in the queue. */
  ask<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>>;
  /** Runs an operation of the worker lane. */
  run<Name extends RunOperation>(op: Name, fields: RunFields<Name>): Promise<OperationReply<Name>>;
  /** Resolves with the next event of this name. An earlier event that was not taken yet comes first. */
  next<Name extends ImageEvent['event']>(name: Name): Promise<Extract<ImageEvent, { event: Name }>>;
  close(): Promise<void>;
}

/** Opens an image for a test. `launcher` is a program that is started with SBCL's options and replaces itself by SBCL. */
export async function openTestImage(
  options: { environment?: NodeJS.ProcessEnv; cache?: string; sbcl?: string; launcher?: string } = {},
): Promise<TestImage> {
  const environment = { ...process.env, ...options.environment };
  const { cache = TEST_CACHE, sbcl = null } = options;
  const found = await ensureRuntime(await findSbcl(sbcl, environment), findSources(import.meta.dirname), cache);
  const runtime = { ...found, sbcl: { ...found.sbcl, path: options.launcher ?? found.sbcl.path } };
  const directory = await mkdtemp(path.join(tmpdir(), 'image-'));
  const memory = { heapMegabytes: 1024, controlStackMegabytes: 16 };
  const image = new LispImage(new LocalHost({ runtime, directory, environment, memory }));
  const events: ImageEvent[] = [];
  let untaken: ImageEvent[] = [];
  const waiting = new Map<string, (event: ImageEvent) => void>();
  image.events.on('event', (event) => {
    events.push(event);
    const taker = waiting.get(event.event);
    waiting.delete(event.event);
    if (taker) taker(event);
    else untaken.push(event);
  });
  await image.ready;
  const own = () => ({
    evaluation: randomUUID(),
    context: 'test',
    actor: 'person',
    outputLimit: 100_000,
    onError: 'report' as const,
    guard: false,
  });
  const evaluate: TestImage['evaluate'] = (code, more = {}) =>
    image.request('evaluate', {
      ...own(),
      code,
      package: null,
      interactive: false,
      source: null,
      valueLimit: 10_000,
      keepValues: false,
      ...more,
    });
  return {
    image,
    directory,
    events,
    evaluate,
    async value(code, more) {
      const { values, condition } = await evaluate(code, more);
      if (condition) throw new Error(`${code}: ${condition.type}: ${condition.message}`);
      return values[0]?.text ?? '';
    },
    ask: (op, fields) => image.request(op, fields),
    run: (op, fields) => image.request(op, { ...own(), ...fields } as never),
    next(name) {
      const known = untaken.find(({ event }) => event === name);
      if (known) {
        untaken = untaken.filter((other) => other !== known);
        return Promise.resolve(known as never);
      }
      return new Promise((resolve) => waiting.set(name, resolve as (event: ImageEvent) => void));
    },
    async close() {
      image.kill('The test is over.');
      await image.ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
