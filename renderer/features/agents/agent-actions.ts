/** The person's actions on agents: starting, installing, logging in, stopping and ending. All of them call the core. */
import type {
  AgentProgram,
  AgentStanding,
  HostedAgent,
  KeptConversation,
  PromptContext,
} from '#contract/clients/hosted-agent.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { showSide } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { agents, shownAgent, showAgent, showStartPage } from './agents-store.ts';
import { addToPrompt, handOver, NEXT } from './prompt-store.ts';
import { againAs } from './standing.ts';
import { STANDINGS } from './descriptions.ts';

/** Shows the Agent panel and focuses the prompt. */
export function showAgentPanel(): void {
  showRegion('Agent', () => showSide('agent'));
}

export function openStartPage(): void {
  showRegion('Agent', () => {
    showStartPage();
    showSide('agent');
  });
}

/**
 * Starts an agent and shows its conversation. The agent gets the prompt that was written while there was no agent. If the access level is
 * unconfined, the person is asked each time. `before`: the agent to replace, whose prompt the new agent also gets.
 */
export async function startAgent(
  program: AgentProgram,
  standing: AgentStanding,
  conversation: string | null = null,
  before: string | null = null,
): Promise<void> {
  if (standing === 'unconfined' && !(await isWanted(program))) return;
  const { id } = await call('hosted.start', { program: program.id, standing, conversation });
  handOver(NEXT, id);
  if (before !== null && before !== id) {
    handOver(before, id);
    // The replaced agent has ended, so close its tab. Its conversation remains saved.
    if (mirror.getState().hostedAgents.some((each) => each.id === before)) await call('hosted.close', { id: before });
  }
  showRegion('Agent', () => {
    showAgent(id);
    showSide('agent');
  });
}

async function isWanted({ title, unasked, limits }: AgentProgram): Promise<boolean> {
  const answer = await ask({
    title: `Start ${title} unconfined?`,
    text: `${unasked} The workbench cannot prevent or show that.${limits === null ? '' : ` ${limits}`}`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'start', title: 'Start unconfined', kind: 'danger' },
    ],
  });
  return answer === 'start';
}

/** Restarts the program of an agent or a conversation with the same access level. If that level is unavailable now, asks the person. */
export async function startAgain(
  of: Pick<HostedAgent, 'id' | 'program' | 'standing'>,
  conversation: string | null,
): Promise<void> {
  const program = agents.getState().programs?.find(({ id }) => id === of.program);
  if (program?.state !== 'ready') {
    openStartPage();
    if (program) notify(program.problem ?? `${program.title} is not installed.`);
    return;
  }
  const { standing, isLooser } = againAs(of.standing, program.standings);
  // `startAgent` itself asks about an unconfined start.
  if (isLooser && standing !== 'unconfined' && !(await isAccepted(program, standing))) return;
  await startAgent(program, standing, conversation, of.id);
}

async function isAccepted({ title, limits }: AgentProgram, standing: AgentStanding): Promise<boolean> {
  const answer = await ask({
    title: `Start ${title} with fewer restrictions than before?`,
    text: `It would be started as “${STANDINGS[standing].title}”. ${STANDINGS[standing].sentence}${limits === null ? '' : ` ${limits}`}`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'start', title: 'Start with Fewer Restrictions', kind: 'danger' },
    ],
  });
  return answer === 'start';
}

/** Removes a program that the workbench installed. The person chooses whether to remove the program's own data too. */
export async function removeProgram({ id, title }: Pick<AgentProgram, 'id' | 'title'>): Promise<void> {
  const answer = await ask({
    title: `Remove ${title}?`,
    text: 'The program is deleted from the workbench’s own folder. You can keep its own state, such as its login and settings, for a later installation. Conversations are stored with their projects.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'all', title: 'Remove with Its State', kind: 'danger' },
      { id: 'program', title: 'Remove' },
    ],
  });
  if (answer !== 'all' && answer !== 'program') return;
  await call('hosted.remove', { program: id, state: answer === 'all' });
  notify(
    answer === 'all' ? `${title} and its state were removed.` : `${title} was removed. Its state was not deleted.`,
  );
}

export async function goOnWith(conversation: KeptConversation): Promise<void> {
  await startAgain(conversation, conversation.id);
}

/** Stops the turn in the agent and its work in the image. */
export async function stopTurn({ id }: Pick<HostedAgent, 'id'>): Promise<void> {
  await call('hosted.stop', { id });
}

/** Ends the agent and its process. Asks the person first if the agent is working. */
export async function endAgent(agent: HostedAgent): Promise<void> {
  if (agent.state === 'working' || agent.state === 'stopping') {
    const answer = await ask({
      title: `End ${agent.actor.name}?`,
      text: 'The agent is working. Its turn stops, also in the image, and its process ends. The conversation is saved.',
      answers: [
        { id: 'cancel', title: 'Cancel' },
        { id: 'end', title: 'End', kind: 'danger' },
      ],
    });
    if (answer !== 'end') return;
  }
  await call('hosted.end', { id: agent.id });
}

/** Removes an ended agent from the list. If the agent is still running, asks the person first and then ends it. */
export async function closeAgent(agent: HostedAgent): Promise<void> {
  if (agent.state === 'ended') await call('hosted.close', { id: agent.id });
  else await endAgent(agent);
}

/**
 * Adds a chip to the prompt of the visible agent, or of the next one, and focuses the prompt. An empty prompt also gets the suggested text.
 * The prompt is sent only when the person sends it.
 */
export function putIntoPrompt(chip: PromptContext | null, suggestion: string): boolean {
  if (!chip) return false;
  const agent = agents.getState().starting ? null : shownAgent();
  const to = agent && agent.state !== 'ended' ? agent.id : NEXT;
  addToPrompt(to, [chip], suggestion);
  showRegion('Agent', () => {
    if (to === NEXT) showStartPage();
    showSide('agent');
  });
  return true;
}
