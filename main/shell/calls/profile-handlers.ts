/** The calls about the person's profiles. */
import type { profileCalls } from '#contract/profiling.ts';
import { PERSON } from '#contract/known-actors.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

/** The most stacks, and the most functions, of a profile: with stacks of 200 frames that is a reply of a few megabytes. */
const STACKS = 500;

export function profileHandlers({ repls }: Workbench): Handlers<typeof profileCalls> {
  return {
    'profile.start': ({ repl, mode }) => repls.place(repl).session.lookUpIfUp('start-profile', { mode }),
    'profile.stop': ({ repl }) => repls.place(repl).session.lookUpIfUp('stop-profile', { limit: STACKS }),
    'profile.state': ({ repl }) => repls.place(repl).session.lookUpIfUp('profile-state', {}),
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
