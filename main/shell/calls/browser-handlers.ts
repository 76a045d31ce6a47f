/** The calls of the browser: look-ups of classes, generic functions and packages in a REPL's image, for the person at the window. */
import type { browserCalls } from '#contract/browser.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function browserHandlers({ repls }: Workbench): Handlers<typeof browserCalls> {
  return {
    'classes.graph': ({ repl, ...asked }) => {
      const { session, context } = repls.place(repl);
      return session.lookUpIfUp('class-graph', { context, ...asked });
    },
    'classes.describe': ({ repl, ...asked }) => {
      const { session, context } = repls.place(repl);
      return session.lookUpIfUp('class', { context, ...asked });
    },
    'functions.describe': ({ repl, ...asked }) => {
      const { session, context } = repls.place(repl);
      return session.lookUpIfUp('generic-function', { context, ...asked });
    },
    'packages.list': ({ repl }) => repls.place(repl).session.lookUpIfUp('packages', {}),
    'packages.symbols': ({ repl, ...asked }) =>
      repls.place(repl).session.lookUpIfUp('package-symbols', { ...asked, offset: 0 }),
  };
}
