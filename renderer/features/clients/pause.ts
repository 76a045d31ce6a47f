/** The commands that pause and resume all agents. */
import { call } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';

export async function stopAllAgents(): Promise<void> {
  const { paused } = await call('agents.stop', {});
  notifyStopped(paused);
}

/** Shows a notice that all agents are paused, with an action that resumes those that this command paused. */
export function notifyStopped(paused: readonly string[]): void {
  if (paused.length === 0) {
    notify('All agents were already paused.');
    return;
  }
  notify('All agents are paused. Their running and waiting calls were cancelled.', 'info', {
    title: 'Resume',
    run: () => resumeClients(paused),
  });
}

export async function resumeClients(clients: readonly string[]): Promise<void> {
  for (const id of clients) await call('clients.change', { id, paused: false });
}
