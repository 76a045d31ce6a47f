/** The choice of the debugger that the panel shows, of all that are open. Pure. */
import type { DebuggerHead } from '#contract/image/debugger.ts';

export type Head = Pick<DebuggerHead, 'id' | 'evaluation'>;

/**
 * The debugger to show: the chosen one, else the innermost of the evaluation that was looked at, since a step or a retry leaves one
 * debugger and enters the next, else the newest. Null when none is open.
 */
export function shownHead<Each extends Head>(heads: readonly Each[], chosen: Head | null): Each | null {
  return (
    heads.find(({ id }) => id === chosen?.id) ??
    heads.findLast(({ evaluation }) => evaluation === chosen?.evaluation) ??
    heads.at(-1) ??
    null
  );
}

/** The choice after `heads` took the place of `before`: what opens within the evaluation that is looked at is looked at. */
export function nextChoice<Each extends Head>(
  heads: readonly Each[],
  before: readonly Each[],
  chosen: Head | null,
): Head | null {
  const fresh = entered(heads, before);
  return fresh.findLast(({ evaluation }) => evaluation === chosen?.evaluation) ?? chosen ?? fresh.at(-1) ?? null;
}

/** The debuggers among `heads` that were not there before. */
export function entered<Each extends Head>(heads: readonly Each[], before: readonly Each[]): Each[] {
  const known = new Set(before.map(({ id }) => id));
  return heads.filter(({ id }) => !known.has(id));
}
