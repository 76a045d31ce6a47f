/** Opening another folder as the project. The agents of the window work on the project, so those at work are asked about first. */
import { call } from './bridge.ts';
import { mirror } from './mirror.ts';
import { ask } from './notices/ask.tsx';

/** Opens a folder, when the person agrees to what that ends. Resolves with true when it is the project now. */
export async function openFolder(path: string): Promise<boolean> {
  if (mirror.getState().project?.path !== path && !(await mayLeaveProject())) return false;
  await call('project.open', { path });
  return true;
}

/** Lets the person choose a folder, and opens it. */
export async function chooseFolder(): Promise<void> {
  if (await mayLeaveProject()) await call('project.choose', {});
}

/** Resolves with true when no agent works on the project, or the person lets those end. */
export async function mayLeaveProject(): Promise<boolean> {
  const atWork = mirror.getState().hostedAgents.filter(({ state }) => state === 'working' || state === 'stopping');
  if (atWork.length === 0) return true;
  const names = atWork.map(({ actor }) => actor.name).join(', ');
  const [works, turns] = atWork.length === 1 ? ['works', 'Its turn is stopped'] : ['work', 'Their turns are stopped'];
  const answer = await ask({
    title: 'Open another folder?',
    text: `${names} ${works} on this one at this moment. ${turns}, in the image too; the conversations are saved with this folder.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'open', title: 'Open another folder', kind: 'danger' },
    ],
  });
  return answer === 'open';
}
