/** Handles the calls about the contents of a REPL's image, and about the tests and builds of the project. None of them starts an image. */
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';
import type { OwnHandlers } from './questions.ts';
import type { memoryCalls } from '#contract/image/observation/memory.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { holderOf } from './inspector-handlers.ts';
import type { coverageCalls } from '#contract/image/observation/coverage.ts';
import { STACKS, type profileCalls } from '#contract/image/observation/profiling.ts';
import type { recordingCalls } from '#contract/image/observation/recording.ts';
import type { traceCalls } from '#contract/image/observation/tracing.ts';
import type { testingCalls } from '#contract/image/testing.ts';
import type { buildCalls } from '#contract/image/builds.ts';

/** The package in which class names in a report are printed. */
const NAMED_FROM = 'COMMON-LISP-USER';

export function memoryHandlers({ repls, images: { addresses } }: Workbench): OwnHandlers<typeof memoryCalls> {
  return {
    'memory.instances': async ({ repl, pane, ...wanted }) => {
      const { session, context } = repls.place(repl);
      const asked = { context, package: NAMED_FROM, holder: holderOf(pane), ...wanted };
      return addresses.told(session, await session.lookUpIfUp('instances', asked));
    },
    'memory.whyAlive': async ({ handle: global, pane }) => {
      const { session, handle } = addresses.object(global);
      const found = await session?.lookUpIfUp('why-alive', { handle, holder: holderOf(pane) });
      return session && found ? addresses.told(session, found) : { expired: true, paths: [] };
    },
    'memory.collect': async ({ repl, full, evaluation }) => {
      const { session, context } = repls.place(repl);
      if (session.view().pid === null) return null;
      const who = { evaluation, actor: PERSON, context };
      const { reply } = await session.run('gc', who, { full }, full ? 'Collect garbage fully' : 'Collect garbage');
      return { status: reply.status, condition: reply.condition, collected: reply.result };
    },
  };
}

export function coverageHandlers({ repls }: Workbench): OwnHandlers<typeof coverageCalls> {
  return {
    'coverage.system': async ({ repl, system, counts, evaluation }) => {
      const { session, context } = repls.place(repl);
      if (session.view().pid === null) return null;
      const who = { evaluation, actor: PERSON, context };
      const about = counts ? `compile ${system} with coverage` : `compile ${system} without coverage`;
      const { reply } = await session.run('cover-system', who, { system, counts }, about);
      return { status: reply.status, condition: reply.condition, files: reply.result?.files ?? null };
    },
  };
}

export function profileHandlers({ repls }: Workbench): OwnHandlers<typeof profileCalls> {
  return {
    'profile.run': async ({ repl, code, package: inPackage, mode, evaluation }) => {
      const { session, context } = repls.place(repl);
      if (session.view().pid === null) return null;
      const who = { evaluation, actor: PERSON, context };
      const wanted = { code, package: inPackage, mode, intervalMs: null, limit: STACKS };
      const { reply } = await session.run('profile', who, wanted, code);
      return { status: reply.status, condition: reply.condition, profile: reply.result };
    },
  };
}

export function recordingHandlers({ session }: Workbench): OwnHandlers<typeof recordingCalls> {
  return {
    'recordings.hold': ({ pane, ...value }) =>
      session.lookUpIfUp('hold-recorded', { ...value, holder: holderOf(pane) }),
  };
}

export function traceHandlers({ repls }: Workbench): OwnHandlers<typeof traceCalls> {
  return {
    'trace.toggle': async ({ symbol, package: inPackage, repl }) => {
      const { session, context } = repls.place(repl);
      const before = await session.lookUpIfUp('traced', {});
      if (!before) return null;
      const asked = { context, package: inPackage, functions: [symbol] };
      const after = await session.lookUpIfUp('trace', { ...asked, methods: true });
      if (!after) return null;
      const problem = after.problems[0]?.reason ?? null;
      if (problem !== null) return { traced: after.traced, function: null, problem };
      const begun = after.traced.find((each) => !before.traced.includes(each));
      if (begun !== undefined) return { traced: after.traced, function: begun, problem: null };
      const left = await session.lookUpIfUp('untrace', asked);
      if (!left) return null;
      const ended = before.traced.find((each) => !left.traced.includes(each)) ?? null;
      return { traced: left.traced, function: ended, problem: null };
    },
    'trace.set': async ({ repl, function: name, on }) => {
      const { session, context } = repls.place(repl);
      const asked = { context, package: 'COMMON-LISP-USER', functions: [name] };
      const left = on ? null : await session.lookUpIfUp('untrace', asked);
      if (!on) return left && { traced: left.traced, problem: null };
      const after = await session.lookUpIfUp('trace', { ...asked, methods: true });
      return after && { traced: after.traced, problem: after.problems[0]?.reason ?? null };
    },
    'trace.end': async ({ repl }) => {
      const { session, context } = repls.place(repl);
      const before = await session.lookUpIfUp('traced', {});
      const left = before && (await session.lookUpIfUp('untrace', { context, package: null, functions: null }));
      return left && { ended: before.traced };
    },
  };
}

export function testingHandlers({ tests }: Workbench): Handlers<typeof testingCalls> {
  return {
    'tests.list': () => tests.list(),
    'tests.systems': ({ evaluation }) => tests.systems(evaluation),
    'tests.run': (request) => tests.run(request),
  };
}

export function buildHandlers({ build }: Workbench): Handlers<typeof buildCalls> {
  return {
    'build.compare': () => build.compare(),
    'build.cancel': () => {
      build.cancel();
      return {};
    },
  };
}
