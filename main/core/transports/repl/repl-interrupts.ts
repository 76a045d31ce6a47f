/** Interrupts the evaluations of a line REPL. An interrupted evaluation enters the debugger, as in SBCL. If it cannot, it is ended. */
import { answer, breakIn } from '#core/sessions/debugging.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Asking } from './own-events.ts';

/** A form that is being evaluated at the top level. */
export interface RunningForm {
  readonly evaluation: string;
  /** True if an interrupt has not stopped the form. The next interrupt ends it. */
  stopping: boolean;
}

/**
 * Cancels a request for a line. If the request comes from code in a debugger, cancels the debugger's question; otherwise ends the
 * evaluation that reads the line.
 */
export async function interruptRead(session: Session, asking: Asking): Promise<void> {
  if (asking.kind === 'input') await session.interrupt(asking.evaluation);
  else await answer(session, { debugger: asking.debugger, question: asking.question.id, text: null, cancel: true });
}

/**
 * Makes a form enter the debugger, or ends it. `isRunning` returns true while the form is running. Resolves with true if the form could not
 * be stopped.
 */
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
  // The form was not found, because it is still queued.
  if (!found) await session.interrupt(form.evaluation);
  return found;
}
