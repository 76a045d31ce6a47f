/** The standing in which an agent is started again. Pure. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';

/** How much each standing leaves to an agent. */
const LOOSENESS: Readonly<Record<AgentStanding, number>> = {
  'workbench-only': 0,
  'project-read-only': 1,
  unconfined: 2,
};

/**
 * Returns the standing of before where it can be had now, else the loosest that is closer, else the closest there is: an agent is never
 * started looser than before without `isLooser`, which asks the person. `offered` has at least one.
 */
export function againAs(
  before: AgentStanding,
  offered: readonly AgentStanding[],
): { standing: AgentStanding; isLooser: boolean } {
  const byLooseness = offered.toSorted((one, other) => LOOSENESS[one] - LOOSENESS[other]);
  const standing = byLooseness.findLast((each) => LOOSENESS[each] <= LOOSENESS[before]) ?? byLooseness[0]!;
  return { standing, isLooser: LOOSENESS[standing] > LOOSENESS[before] };
}
