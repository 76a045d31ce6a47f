/** Handlers for the page's calls about debuggers and breakpoints. */
import type { debuggerCalls } from '#contract/image/debugger.ts';
import * as debugging from '#core/sessions/debugging.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function debuggerHandlers({
  session,
  sessions,
  images,
  breakpoints,
}: Workbench): Handlers<typeof debuggerCalls> {
  const { addresses } = images;
  /** Sends a request to the image of a debugger. The request contains the debugger's id in that image. */
  const of = async <Asked extends { debugger: string }, Reply>(
    asked: Asked,
    ask: (session: Session, asked: Asked) => Reply | Promise<Reply>,
  ): Promise<Reply> => {
    const { session: image, id } = addresses.debugger(asked.debugger);
    return addresses.told(image, await ask(image, { ...asked, debugger: id }));
  };
  return {
    'debugger.record': async (asked) => ({
      ...(await of(asked, (image, { debugger: id }) => image.debugger(id))),
      id: asked.debugger,
    }),
    'debugger.furtherFrames': (asked) => of(asked, debugging.furtherFrames),
    'debugger.locals': (asked) => of(asked, debugging.localsOf),
    'debugger.disassemble': (asked) => of(asked, debugging.disassemblyOf),
    'debugger.evaluate': (asked) => of(asked, debugging.evaluateInFrame),
    'debugger.returnFromFrame': (asked) => of(asked, debugging.returnFromFrame),
    'debugger.restartFrame': (asked) => of(asked, debugging.restartFrame),
    'debugger.invokeRestart': (asked) => of(asked, debugging.invokeRestart),
    'debugger.answer': (asked) => of(asked, debugging.answer),
    'debugger.step': (asked) => of(asked, debugging.step),
    'debugger.quit': async (asked) => {
      await of(asked, (image, { debugger: id }) => debugging.quit(image, id));
      return {};
    },
    'debugger.interrupt': async (asked) => {
      await of(asked, (image, { debugger: id }) => debugging.interruptIn(image, id));
      return {};
    },
    'debugger.compileForDebugging': ({ function: name, set, debugger: id }) =>
      debugging.compileForDebugging(id === null ? session : addresses.debugger(id).session, name, set),
    'debugger.breakIn': async ({ evaluation }) => {
      const image = sessions.running(evaluation);
      const { found, debugger: id } = await debugging.breakIn(image, evaluation);
      return { found, debugger: id === null ? null : addresses.debuggerId(image, id) };
    },
    'breakpoints.set': ({ function: name, set }) => breakpoints.set(name, set),
    'breakpoints.setLine': ({ function: name, line, set }) => breakpoints.setLine(name, line, set),
    'breakpoints.stopWhen': ({ function: name, when }) => breakpoints.stopWhen(name, when),
    'breakpoints.onConditions': ({ types }) => breakpoints.onConditions(types),
  };
}
