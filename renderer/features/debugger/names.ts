/** The names that the debugger displays. Pure. */
import type { DebuggerHead } from '#contract/image/debugger.ts';
import { onOneRow } from '#contract/text/text.ts';

/** Returns a symbol's name without its package, which would make the name long: `SB-SYS:INTERACTIVE-INTERRUPT`. */
export function plainName(name: string): string {
  return /^[^\s("|#]*:[^\s("|#]+$/.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name;
}

/** True for a stop at a breakpoint on a line. Its condition is the workbench's own, so its type tells a person nothing. */
export function isLineStop({ type }: Pick<DebuggerHead, 'type'>): boolean {
  return plainName(type) === 'LINE-REACHED';
}

/** True if a debugger's thread is the one that evaluates forms, and not a thread that a form has created. */
export function isEvaluating(thread: string): boolean {
  return thread === '' || thread === 'lisp-workbench worker';
}

/** The maximum length, in characters, of a report that is shown on one line. */
const SHORT = 200;

/** Returns a condition's report. The lines of a short report are joined into one, because SBCL puts each part on its own line. */
export function onOneLine(message: string): string {
  const line = onOneRow(message);
  return line.length <= SHORT ? line : message;
}

/** Describes the state of the image in a few words: `in the debugger · UNKNOWN-SKU`, and the agent's name if the code is an agent's. */
export function debuggerWords({ type, kind, actor }: Pick<DebuggerHead, 'type' | 'kind' | 'actor'>): string {
  const what = kind === 'step' ? 'step' : isLineStop({ type }) ? 'breakpoint' : plainName(type);
  return `in the debugger · ${what}${actor.kind === 'client' ? ` · ${actor.name}` : ''}`;
}

/** Returns true if a step can stop again, otherwise text that explains when the command is available. */
export function whenToStep(
  head: Pick<DebuggerHead, 'kind' | 'steps'> | null,
  kind: 'into' | 'over' | 'out',
): true | string {
  if (!head || head.kind === 'error') return 'at a break or a step';
  if (kind === 'out' ? head.steps.out : head.steps.within) return true;
  return kind === 'out' && head.steps.within
    ? 'if a caller is compiled for debugging'
    : 'in code compiled for debugging';
}

/**
 * Returns the reason why steps from a debugger would not stop again, and what to do about it. Returns null if they would stop again, or if
 * the debugger shows an error.
 */
export function whyNoSteps(head: Pick<DebuggerHead, 'kind' | 'steps'>): string | null {
  if (head.kind === 'error' || head.steps.within) return null;
  return head.kind === 'interrupt'
    ? 'Stepping is not possible, because no function on the stack is compiled for debugging. Recompile one (l), continue, and interrupt again.'
    : 'Stepping is not possible, because no function on the stack is compiled for debugging. Recompile one (l), and call it again.';
}
