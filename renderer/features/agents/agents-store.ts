/**
 * The page's state of the agents that the workbench runs: the visible agent, the available programs, and the items of each conversation.
 */
import type {
  AgentList,
  AgentProgram,
  HostedAgent,
  KeptConversation,
  LoginTerminal,
} from '#contract/clients/hosted-agent.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { type ItemLog, NO_ITEMS, putItem, putOlder } from './item-log.ts';
import { forgetHeard, hear } from './silence.ts';
import { addToPrompt, handOver, NEXT, takeQueuedBack } from './prompt-store.ts';
import { makeStore } from '../../base/store.ts';

/** The number of items requested at once. */
const ASKED = 200;

interface AgentsState {
  /** The agent whose conversation is shown; null for the newest agent. */
  readonly shown: string | null;
  /** True while the start page is shown although there are agents. */
  readonly starting: boolean;
  /** The programs; null until they have been looked up. */
  readonly programs: readonly AgentProgram[] | null;
  /** The list from which the programs come; null until it has been looked up. */
  readonly list: AgentList | null;
  /** True while the list is being fetched. */
  readonly refreshing: boolean;
  /** The reason why the programs could not be looked up. */
  readonly problem: string | null;
  readonly kept: readonly KeptConversation[];
  /** The saved conversation that is shown without its agent; null if there is none. */
  readonly read: KeptConversation | null;
  /** The terminals for logging in. */
  readonly logins: readonly LoginTerminal[];
  readonly logs: ReadonlyMap<string, ItemLog>;
  /** Ids of conversations whose items have been requested. */
  readonly asked: ReadonlySet<string>;
}

export const [agents, useAgents] = makeStore<AgentsState>({
  shown: null,
  starting: false,
  programs: null,
  list: null,
  refreshing: false,
  problem: null,
  kept: [],
  read: null,
  logins: [],
  logs: new Map(),
  asked: new Set(),
});

/** Follows the events about agents from the start of the page on. */
export function followAgents(): void {
  on('hosted-item', ({ agent, item }) => {
    hear(agent);
    change(agent, (log) => putItem(log, item));
  });
  on('hosted-programs-changed', (programs) => agents.setState({ programs, problem: null }));
  on('hosted-logins-changed', (logins) => agents.setState({ logins }));
  mirror.subscribe(({ hostedAgents, project }, before) => {
    if (hostedAgents !== before.hostedAgents) {
      keepUnsent(before.hostedAgents, hostedAgents);
      forgetClosed(hostedAgents);
      for (const { id, state } of hostedAgents) {
        if (state === 'starting' || state === 'ended' || placed.has(id)) continue;
        placed.add(id);
        void offerPlace(id).catch(() => {}); // fails if the agent was just closed
      }
    }
    if (project?.path !== before.project?.path || project?.trusted !== before.project?.trusted) void lookAgain();
    // A conversation is listed as saved once its agent is no longer listed.
    else if (hostedAgents.length < before.hostedAgents.length) void lookForConversations();
  });
}

/** Returns the agent to show: the chosen one, otherwise the newest. @internal Exported for its test. */
export function shownAmong(
  hosted: readonly HostedAgent[],
  { shown, starting, read }: Pick<AgentsState, 'shown' | 'starting' | 'read'>,
): HostedAgent | null {
  if (starting || read !== null) return null;
  return hosted.find(({ id }) => id === shown) ?? hosted.at(-1) ?? null;
}

/** Returns the agent whose conversation is shown; null on the start page. */
export function shownAgent(): HostedAgent | null {
  return shownAmong(mirror.getState().hostedAgents, agents.getState());
}

export function useShownAgent(): HostedAgent | null {
  const hosted = useMirror((state) => state.hostedAgents);
  const id = useAgents((state) => shownAmong(hosted, state)?.id ?? null);
  return hosted.find((each) => each.id === id) ?? null;
}

export function showAgent(id: string): void {
  agents.setState({ shown: id, starting: false, read: null });
}

export function showStartPage(): void {
  agents.setState({ starting: true, read: null });
}

/** Returns from the start page to the agents' conversations. */
export function leaveStartPage(): void {
  agents.setState({ starting: false, read: null });
}

/** Shows a saved conversation without its agent. */
export function readConversation(read: KeptConversation): void {
  agents.setState({ read });
}

/** Returns from a saved conversation to the start page. */
export function leaveReading(): void {
  agents.setState({ read: null, starting: true });
}

/** Looks up the available programs and conversations. The promise never rejects. */
export async function lookForPrograms(): Promise<void> {
  try {
    const { programs, list } = await call('hosted.look', {});
    agents.setState({ programs, list, problem: null });
  } catch (error) {
    agents.setState({ problem: messageOf(error) });
  }
  await lookForConversations();
}

/** Fetches the list of agents. Resolves to true if that succeeded; otherwise the list contains the problem. */
export async function refreshList(): Promise<boolean> {
  agents.setState({ refreshing: true });
  try {
    const { list } = await call('hosted.refreshList', {});
    agents.setState({ list });
    return list.problem === null;
  } finally {
    agents.setState({ refreshing: false });
  }
}

async function lookForConversations(): Promise<void> {
  const { conversations } = await call('hosted.conversations', {}).catch(() => ({ conversations: [] }));
  agents.setState({ kept: conversations });
}

/** Looks up the programs again after the project or its trust changed, unless the panel has never been opened. */
async function lookAgain(): Promise<void> {
  agents.setState({ read: null });
  if (agents.getState().programs !== null) await lookForPrograms();
}

/** Requests the newest items of a conversation, once. */
export async function loadItems(id: string): Promise<void> {
  if (agents.getState().asked.has(id)) return;
  agents.setState(({ asked }) => ({ asked: new Set([...asked, id]) }));
  try {
    const { items } = await call('hosted.items', { id, before: null, most: ASKED });
    change(id, (log) => putOlder(log, items, ASKED));
  } catch (error) {
    agents.setState(({ asked }) => ({ asked: new Set([...asked].filter((each) => each !== id)) }));
    throw error;
  }
}

/** Requests the items before the first known one. */
export async function loadOlderItems(id: string): Promise<void> {
  const first = agents.getState().logs.get(id)?.items[0]?.seq;
  if (first === undefined) return;
  const { items } = await call('hosted.items', { id, before: first, most: ASKED });
  change(id, (log) => putOlder(log, items, ASKED));
}

/** Ids of agents whose first prompt has already received the project's context. */
const placed = new Set<string>();

/** Adds the project and its instructions to the first prompt of a conversation, as chips that the person can remove. */
async function offerPlace(id: string): Promise<void> {
  const { context } = await call('hosted.place', { id });
  if (context.length > 0) addToPrompt(id, context, '');
}

/** Deletes a conversation from disk. */
export async function forgetConversation(id: string): Promise<void> {
  await call('hosted.forget', { id });
  agents.setState(({ kept, read, logs }) => ({
    kept: kept.filter((each) => each.id !== id),
    read: read?.id === id ? null : read,
    logs: new Map([...logs].filter(([each]) => each !== id)),
  }));
}

function change(id: string, to: (log: ItemLog) => ItemLog): void {
  agents.setState(({ logs }) => ({ logs: new Map(logs).set(id, to(logs.get(id) ?? NO_ITEMS)) }));
}

/**
 * Saves text that the person wrote but no agent received. The queued prompt of an ended agent returns to the agent's prompt field; text for
 * a removed agent goes to the next agent.
 */
function keepUnsent(before: readonly HostedAgent[], hosted: readonly HostedAgent[]): void {
  for (const { id, state, queued } of hosted) {
    const hadEnded = before.find((each) => each.id === id)?.state === 'ended';
    // This fails harmlessly if the person has already taken the prompt back.
    if (state === 'ended' && !hadEnded && queued !== null) void takeQueuedBack(id).catch(() => {});
  }
  for (const { id } of before) {
    if (hosted.some((each) => each.id === id)) continue;
    handOver(id, NEXT);
    forgetHeard(id);
  }
}

/** Removes the items of agents that are no longer listed, except those of a saved conversation that is being read. */
function forgetClosed(hosted: readonly HostedAgent[]): void {
  const isKept = (id: string): boolean => hosted.some((each) => each.id === id) || agents.getState().read?.id === id;
  agents.setState(({ logs, asked }) => ({
    logs: new Map([...logs].filter(([id]) => isKept(id))),
    asked: new Set([...asked].filter(isKept)),
  }));
}
