/** The calls about the threads of a REPL's image. */
import type { threadCalls } from '#contract/threads.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

/** Frames of a backtrace that are told. */
const FRAMES = 200;

export function threadHandlers({ repls }: Workbench): Handlers<typeof threadCalls> {
  return {
    'threads.list': ({ repl }) => repls.place(repl).session.lookUpIfUp('threads', {}),
    'threads.backtrace': ({ repl, thread }) =>
      repls.place(repl).session.lookUpIfUp('thread-backtrace', { thread, limit: FRAMES }),
    'threads.end': ({ repl, thread }) => repls.place(repl).session.lookUpIfUp('end-thread', { thread }),
  };
}
