/** Interrupts of what a line REPL evaluates: as in SBCL they lead into the debugger, and end what cannot go there. */
import { answer, breakIn } from '#core/sessions/debugging.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Asking } from './own-events.ts';

/** A form that is evaluated at the top level. */
export interface RunningForm {
  readonly evaluation: string;
  /** True once it was interrupted and did not stop: the next interrupt ends it. */
  stopping: boolean;
}

/** Gives up a read of a line: calls off what asks in a debugger, and ends the evaluation that reads otherwise. */
export async function interruptRead(session: Session, asking: Asking): Promise<void> {
  if (asking.kind === 'input') await session.interrupt(asking.evaluation);
  else await answer(session, { debugger: asking.debugger, question: asking.question.id, text: null, cancel: true });
}

/** Has a form enter the debugger, or end. `isRunning` tells whether it still is; resolves with true where it could not be stopped. */
export async function interruptForm(session: Session, form: RunningForm, isRunning: () => boolean): Promise<boolean> {
  const again = form.stopping;
  form.stopping = true;
  if (again) {
    await session.interrupt(form.evaluation);
    return false;
  }
  const { found, debugger: entered } = await breakIn(session, form.evaluation);
  form.stopping = false;
  if (entered !== null || !isRunning()) return false;
  form.stopping = true;
  // Its turn has not come yet.
  if (!found) await session.interrupt(form.evaluation);
  return found;
}
