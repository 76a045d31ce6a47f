/** The calls about tracing: the person switches it in the image of a REPL. */
import type { traceCalls } from '#contract/tracing.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function traceHandlers({ repls }: Workbench): Handlers<typeof traceCalls> {
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
    'trace.list': async ({ repl }) => repls.place(repl).session.lookUpIfUp('traced', {}),
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
