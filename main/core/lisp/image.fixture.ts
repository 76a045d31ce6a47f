/** A real image without sessions around it: for tests of what crosses the wire. */
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

/** Asks `list-definitions` for all that a package defines, of every kind. */
export const ALL_LISTED = { context: 'test', groups: [definitionKind.options], start: 0, count: 100_000 };

type RunFields<Name extends RunOperation> = Omit<
  OperationRequest<Name>,
  'evaluation' | 'context' | 'actor' | 'outputLimit' | 'onError' | 'guard'
> &
  Partial<Pick<OperationRequest<'evaluate'>, 'onError'>>;

/** A form for a symbol of the engine, which no package has any more: found in bare memory. */
export function engineSymbol(name: string): string {
  return `(first (sb-vm:list-allocated-objects :all :type sb-vm:symbol-widetag
    :test (lambda (each) (and (equal "${name}" (symbol-name each)) (symbol-package each)
                              (search "LISP-WORKBENCH/" (package-name (symbol-package each)))))))`;
}

export interface TestImage {
  readonly image: LispImage;
  /** The image's directory, empty at first. */
  readonly directory: string;
  /** Everything that the image said of its own accord, oldest first. */
  readonly events: ImageEvent[];
  /** Evaluates in the context `test`, as the person unless `more` says otherwise. */
  evaluate(code: string, more?: Partial<OperationRequest<'evaluate'>>): Promise<OperationReply<'evaluate'>>;
  /** The first value of an evaluation as text. @throws Error with the condition when it failed. */
  value(code: string, more?: Partial<OperationRequest<'evaluate'>>): Promise<string>;
  /** Asks what needs no turn. */
  ask<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>>;
  /** Runs an operation of the worker's lane. */
  run<Name extends RunOperation>(op: Name, fields: RunFields<Name>): Promise<OperationReply<Name>>;
  /** The next event of that name, or one that came already and was not taken yet. */
  next<Name extends ImageEvent['event']>(name: Name): Promise<Extract<ImageEvent, { event: Name }>>;
  close(): Promise<void>;
}

/** `launcher`: a program that becomes the SBCL when it is started with SBCL's options. */
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
