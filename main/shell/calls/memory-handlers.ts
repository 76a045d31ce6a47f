/** The calls about the memory of a REPL's image. */
import type { memoryCalls } from '#contract/memory.ts';
import { PERSON } from '#contract/known-actors.ts';
import type { Workbench } from '#core/workbench.ts';
import { holderOf } from './inspector-handlers.ts';
import type { Handlers } from './ipc.ts';

/** Classes that a report tells of: more than an image comes to have instances of. */
const CLASSES = 10_000;
/** The package from which a report prints the names of classes. */
const NAMED_FROM = 'COMMON-LISP-USER';

export function memoryHandlers({ repls, images: { addresses } }: Workbench): Handlers<typeof memoryCalls> {
  return {
    'memory.report': ({ repl }) => repls.place(repl).session.lookUpIfUp('memory-report', { limit: CLASSES }),
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
