/** Names of the debugger as the window shows them. Pure. */
import type { DebuggerHead } from '#contract/image/debugger.ts';
import { onOneRow } from '#contract/text/text.ts';

/** A symbol's name without its package: `SB-SYS:INTERACTIVE-INTERRUPT` is long enough without. */
export function plainName(name: string): string {
  return /^[^\s("|#]*:[^\s("|#]+$/.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name;
}

/** Characters up to which a report is shown on one line. */
const SHORT = 200;

/** A condition's report; a short one, which SBCL breaks into a line each for its parts, on one line. */
export function onOneLine(message: string): string {
  const line = onOneRow(message);
  return line.length <= SHORT ? line : message;
}

/** The state of the image in few words: `in the debugger · UNKNOWN-SKU`, and whose error it is where it is an agent's. */
export function debuggerWords({ type, kind, actor }: Pick<DebuggerHead, 'type' | 'kind' | 'actor'>): string {
  const what = kind === 'step' ? 'step' : plainName(type);
  return `in the debugger · ${what}${actor.kind === 'client' ? ` · ${actor.name}` : ''}`;
}

/** True where a step can stop again; else the words that say when it can, for its command. */
export function whenToStep(
  head: Pick<DebuggerHead, 'kind' | 'steps'> | null,
  kind: 'into' | 'over' | 'out',
): true | string {
  if (!head || head.kind === 'error') return 'at a break or a step';
  if (kind === 'out' ? head.steps.out : head.steps.within) return true;
  return kind === 'out' && head.steps.within
    ? 'where a caller is compiled for debugging'
    : 'in code compiled for debugging';
}

/** The reason why steps from a debugger would not stop again, and what to do about it; null where they would, or at an error. */
export function whyNoSteps(head: Pick<DebuggerHead, 'kind' | 'steps'>): string | null {
  if (head.kind === 'error' || head.steps.within) return null;
  return head.kind === 'interrupt'
    ? 'No steps: nothing on the stack is compiled for debugging. Recompile a function of it (l), continue, and interrupt it again.'
    : 'No steps: nothing on the stack is compiled for debugging. Recompile a function of it (l), and call it again.';
}
