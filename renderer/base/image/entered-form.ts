/**
 * The form that the person has just entered in a REPL. Until the next key or click, the person waits for the outcome of this form, so an
 * error in it may take the focus.
 */
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { evaluate } from './evaluations.ts';

/** The evaluation of that form; null once the person has pressed a key or clicked. */
let entered: string | null = null;

/** Evaluates a form that the person has entered in the visible REPL. */
export async function enter(code: string): Promise<EvaluationReport> {
  const evaluation = crypto.randomUUID();
  waitFor(evaluation);
  return evaluate({ code, origin: 'repl', package: null, source: null }, evaluation);
}

/** Records that the person waits for an evaluation, because they entered its form or a line that its code reads. */
export function waitFor(evaluation: string): void {
  entered = evaluation;
  const moved = new AbortController();
  const leave = (event: Event): void => {
    // The key that entered the form may still be held down.
    if (event instanceof KeyboardEvent && event.repeat) return;
    entered = null;
    moved.abort();
  };
  for (const act of ['keydown', 'pointerdown', 'beforeinput'])
    window.addEventListener(act, leave, { capture: true, signal: moved.signal });
}

/** True if this evaluation is of the form that the person has just entered. */
export function isAwaited(evaluation: string): boolean {
  return evaluation === entered;
}
