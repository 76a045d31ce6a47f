/** The work of the page's calls on debuggers and breakpoints. */
import type { debuggerCalls } from '#contract/debugger-calls.ts';
import type { Breakpoints } from '#core/sessions/breakpoints.ts';
import * as debugging from '#core/sessions/debugging.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Handlers } from './ipc.ts';

export function debuggerHandlers(session: Session, breakpoints: Breakpoints): Handlers<typeof debuggerCalls> {
  return {
    'debugger.record': ({ debugger: id }) => session.debugger(id),
    'debugger.locals': (asked) => debugging.localsOf(session, asked),
    'debugger.disassemble': (asked) => debugging.disassemblyOf(session, asked),
    'debugger.evaluate': (asked) => debugging.evaluateInFrame(session, asked),
    'debugger.returnFromFrame': (asked) => debugging.returnFromFrame(session, asked),
    'debugger.restartFrame': (asked) => debugging.restartFrame(session, asked),
    'debugger.invokeRestart': (asked) => debugging.invokeRestart(session, asked),
    'debugger.step': (asked) => debugging.step(session, asked),
    'debugger.quit': async ({ debugger: id }) => {
      await debugging.quit(session, id);
      return {};
    },
    'debugger.interrupt': async ({ debugger: id }) => {
      await debugging.interruptIn(session, id);
      return {};
    },
    'debugger.compileForDebugging': ({ function: name, set }) => debugging.compileForDebugging(session, name, set),
    'debugger.breakIn': ({ evaluation }) => debugging.breakIn(session, evaluation),
    'breakpoints.set': ({ function: name, set }) => breakpoints.set(name, set),
    'breakpoints.onConditions': ({ types }) => breakpoints.onConditions(types),
  };
}
