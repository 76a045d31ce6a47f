/** Names of the debugger as the window shows them. Pure. */
import type { DebuggerHead } from '#contract/debugger-calls.ts';

/** A symbol's name without its package: `SB-SYS:INTERACTIVE-INTERRUPT` is long enough without. */
export function plainName(name: string): string {
  return /^[^\s("|#]*:[^\s("|#]+$/.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name;
}

/** The state of the image in few words: `in the debugger · UNKNOWN-SKU`, and whose error it is where it is an agent's. */
export function debuggerWords({ type, kind, actor }: Pick<DebuggerHead, 'type' | 'kind' | 'actor'>): string {
  const what = kind === 'step' ? 'step' : plainName(type);
  return `in the debugger · ${what}${actor.kind === 'client' ? ` · ${actor.name}` : ''}`;
}
