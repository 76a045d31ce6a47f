/** Actions of the person on agents: starting, installing, logging in, stopping, ending, always by a call of the core. */
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

/** Shows the panel, with the keyboard where the prompt is written. */
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
 * Starts an agent and shows its conversation, with what was written before there was one. Without a standing that holds it back the person
 * is asked each time. `before` is the agent in whose place it comes: the prompt that was written to that one is handed over.
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
    // The one in whose place it comes has ended: one tab is enough. Its conversation is kept.
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

/** Starts the program of an agent or a conversation again, as closed off as before. Where that cannot be had now, the person is asked. */
export async function startAgain(
  of: Pick<HostedAgent, 'id' | 'program' | 'standing'>,
  conversation: string | null,
): Promise<void> {
  const program = agents.getState().programs?.find(({ id }) => id === of.program);
  if (program?.state !== 'ready') {
    openStartPage();
    if (program) notify(program.problem ?? `${program.title} is not there to be started.`);
    return;
  }
  const { standing, isLooser } = againAs(of.standing, program.standings);
  // The start without anything that holds it back is asked about by itself.
  if (isLooser && standing !== 'unconfined' && !(await isAccepted(program, standing))) return;
  await startAgent(program, standing, conversation, of.id);
}

async function isAccepted({ title, limits }: AgentProgram, standing: AgentStanding): Promise<boolean> {
  const answer = await ask({
    title: `Start ${title} less closed off than before?`,
    text: `It would be started as “${STANDINGS[standing].title}”. ${STANDINGS[standing].sentence}${limits === null ? '' : ` ${limits}`}`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'start', title: 'Start Less Closed Off', kind: 'danger' },
    ],
  });
  return answer === 'start';
}

/** Removes a program that the workbench installed; the person says whether its own state goes too. */
export async function removeProgram({ id, title }: Pick<AgentProgram, 'id' | 'title'>): Promise<void> {
  const answer = await ask({
    title: `Remove ${title}?`,
    text: 'The program is deleted from the workbench’s own folder. Its own state, such as its login and settings, can stay for a later installation. Conversations stay with their projects.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'all', title: 'Remove It with Its State', kind: 'danger' },
      { id: 'program', title: 'Remove It' },
    ],
  });
  if (answer !== 'all' && answer !== 'program') return;
  await call('hosted.remove', { program: id, state: answer === 'all' });
  notify(answer === 'all' ? `${title} and its state are removed.` : `${title} is removed. Its state stays.`);
}

export async function goOnWith(conversation: KeptConversation): Promise<void> {
  await startAgain(conversation, conversation.id);
}

/** Stops the turn, at the agent and in the image. */
export async function stopTurn({ id }: Pick<HostedAgent, 'id'>): Promise<void> {
  await call('hosted.stop', { id });
}

/** Ends the agent with its process; one that works is ended when the person has said so. */
export async function endAgent(agent: HostedAgent): Promise<void> {
  if (agent.state === 'working' || agent.state === 'stopping') {
    const answer = await ask({
      title: `End ${agent.actor.name}?`,
      text: 'It is working. Its turn stops, in the image too, and its process ends; the conversation is saved.',
      answers: [
        { id: 'cancel', title: 'Cancel' },
        { id: 'end', title: 'End it', kind: 'danger' },
      ],
    });
    if (answer !== 'end') return;
  }
  await call('hosted.end', { id: agent.id });
}

/** Takes an agent off the list; one that has not ended is ended, when the person wants that. */
export async function closeAgent(agent: HostedAgent): Promise<void> {
  if (agent.state === 'ended') await call('hosted.close', { id: agent.id });
  else await endAgent(agent);
}

/**
 * Puts something into the prompt of the agent that is shown, or of the next one, with suggested words where nothing is written yet, and the
 * keyboard there. Nothing is sent before the person does so.
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
