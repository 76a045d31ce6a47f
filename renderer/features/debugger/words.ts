/** Names of the debugger as the window shows them. Pure. */
import type { DebuggerHead } from '#contract/debugger-calls.ts';

/** A symbol's name without its package: `SB-SYS:INTERACTIVE-INTERRUPT` is long enough without. */
export function plainName(name: string): string {
  return /^[^\s("|#]*:[^\s("|#]+$/.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name;
}

/** Characters up to which a report is shown on one line. */
const SHORT = 200;

/** A condition's report; a short one, which SBCL breaks into a line each for its parts, on one line. */
export function onOneLine(message: string): string {
  const line = message.replaceAll(/\s*\n\s*/g, ' ').trim();
  return line.length <= SHORT ? line : message;
}

/** The state of the image in few words: `in the debugger · UNKNOWN-SKU`, and whose error it is where it is an agent's. */
export function debuggerWords({ type, kind, actor }: Pick<DebuggerHead, 'type' | 'kind' | 'actor'>): string {
  const what = kind === 'step' ? 'step' : plainName(type);
  return `in the debugger · ${what}${actor.kind === 'client' ? ` · ${actor.name}` : ''}`;
}
