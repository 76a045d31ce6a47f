/** The access level at which an agent is started again. Pure. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';

/** A rank for each access level: the more it allows, the higher. */
const LOOSENESS: Readonly<Record<AgentStanding, number>> = {
  'workbench-only': 0,
  'project-read-only': 1,
  unconfined: 2,
};

/**
 * Returns the previous access level if it is available, otherwise the loosest of the stricter levels, otherwise the strictest available
 * level. `isLooser` is true if the result is looser than before, so that the person must be asked. `offered` has at least one level.
 */
export function againAs(
  before: AgentStanding,
  offered: readonly AgentStanding[],
): { standing: AgentStanding; isLooser: boolean } {
  const byLooseness = offered.toSorted((one, other) => LOOSENESS[one] - LOOSENESS[other]);
  const standing = byLooseness.findLast((each) => LOOSENESS[each] <= LOOSENESS[before]) ?? byLooseness[0]!;
  return { standing, isLooser: LOOSENESS[standing] > LOOSENESS[before] };
}
