/** What the person does about agents as a whole, and how it is taken back. */
import { call } from '../../bridge.ts';
import { notify } from '../../layout/notices.tsx';

export async function stopAllAgents(): Promise<void> {
  const { paused } = await call('agents.stop', {});
  tellStopped(paused);
}

/** Says that they are stopped, with the way back for those that this stop paused. */
export function tellStopped(paused: readonly string[]): void {
  if (paused.length === 0) {
    notify('Nothing of an agent goes on. All were paused before.');
    return;
  }
  notify('All agents are paused. What they ran or waited for has ended.', 'info', {
    title: 'Let them go on',
    run: () => letGoOn(paused),
  });
}

export async function letGoOn(clients: readonly string[]): Promise<void> {
  for (const id of clients) await call('clients.change', { id, paused: false });
}
