/** The person's way to end everything that agents do at once. */
import type { Workbench } from '#core/workbench.ts';

/** Denies what waits and interrupts what agents run. */
export async function stopAgents({ approvals, session }: Workbench): Promise<void> {
  for (const { id, fingerprint } of approvals.view().waiting)
    await approvals.decide(id, fingerprint, { decision: 'denied', reason: 'The person stopped all agents.' });
  const { running, parked, waiting } = session.view();
  const agents = [running, ...parked, ...waiting].filter((each) => each?.actor.kind === 'client');
  await Promise.all(agents.map((each) => session.interrupt(each!.evaluation)));
}
