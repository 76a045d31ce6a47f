/** Opens another folder as the project. Asks first if agents are working, because the window's agents work on the current project. */
import { call } from './bridge.ts';
import { mirror } from './mirror.ts';
import { ask } from './notices/ask.tsx';

/**
 * Opens a folder, provided that no agents are working or the person agrees to stop them. Resolves to true if the folder is now the project.
 */
export async function openFolder(path: string): Promise<boolean> {
  if (mirror.getState().project?.path !== path && !(await mayLeaveProject())) return false;
  await call('project.open', { path });
  return true;
}

/** Lets the person choose a folder and opens it. */
export async function chooseFolder(): Promise<void> {
  if (await mayLeaveProject()) await call('project.choose', {});
}

/** Resolves to true if no agent is working on the project, or if the person agrees to stop those that are. */
export async function mayLeaveProject(): Promise<boolean> {
  const atWork = mirror.getState().hostedAgents.filter(({ state }) => state === 'working' || state === 'stopping');
  if (atWork.length === 0) return true;
  const names = atWork.map(({ actor }) => actor.name).join(', ');
  const [works, turns] = atWork.length === 1 ? ['is', 'Its turn is stopped'] : ['are', 'Their turns are stopped'];
  const answer = await ask({
    title: 'Open another folder?',
    text: `${names} ${works} working on this folder. ${turns}, in the image too. The conversations are saved with this folder.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'open', title: 'Open another folder', kind: 'danger' },
    ],
  });
  return answer === 'open';
}
