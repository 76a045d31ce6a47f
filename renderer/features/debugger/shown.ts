/** Chooses the debugger that the panel shows. Pure. */
import type { DebuggerHead } from '#contract/image/debugger.ts';

export type Head = Pick<DebuggerHead, 'id' | 'evaluation'>;

/**
 * Returns the debugger to show: the chosen one, otherwise the innermost one of the chosen evaluation, otherwise the newest; null if none is
 * open. The evaluation matters because a step or a retry closes one debugger and opens another of the same evaluation.
 */
export function shownHead<Each extends Head>(heads: readonly Each[], chosen: Head | null): Each | null {
  return (
    heads.find(({ id }) => id === chosen?.id) ??
    heads.findLast(({ evaluation }) => evaluation === chosen?.evaluation) ??
    heads.at(-1) ??
    null
  );
}

/**
 * Returns the new choice after `heads` replaced `before`. If the chosen evaluation has a new debugger, that debugger becomes the choice. A
 * debugger of another evaluation becomes the choice only when the chosen evaluation has ended, or has no debugger and is not `running`.
 */
export function nextChoice<Each extends Head>(
  heads: readonly Each[],
  before: readonly Each[],
  chosen: Head | null,
  running: string | null = null,
): Head | null {
  const fresh = entered(heads, before);
  const isOfChosen = ({ evaluation }: Each): boolean => evaluation === chosen?.evaluation;
  const own = fresh.findLast(isOfChosen);
  if (own) return own;
  return heads.some(isOfChosen) || (running !== null && running === chosen?.evaluation)
    ? chosen
    : (fresh.at(-1) ?? chosen);
}

/** Returns the debuggers in `heads` that were not in `before`. */
export function entered<Each extends Head>(heads: readonly Each[], before: readonly Each[]): Each[] {
  const known = new Set(before.map(({ id }) => id));
  return heads.filter(({ id }) => !known.has(id));
}
