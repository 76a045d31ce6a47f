/** The calls about coverage: the person asks for what has run in the image of a REPL. */
import type { coverageCalls } from '#contract/coverage.ts';
import { PERSON } from '#contract/known-actors.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function coverageHandlers({ repls }: Workbench): Handlers<typeof coverageCalls> {
  return {
    'coverage.files': ({ repl }) => repls.place(repl).session.lookUpIfUp('coverage', {}),
    'coverage.forms': ({ repl, file }) => repls.place(repl).session.lookUpIfUp('coverage-marks', { file }),
    'coverage.reset': ({ repl }) => repls.place(repl).session.lookUpIfUp('reset-coverage', {}),
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
