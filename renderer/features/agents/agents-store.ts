/** The agents that the workbench runs, as the page knows them: which is shown, the programs there are, and the items of each conversation. */
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

/** Items that are asked for at once. */
const ASKED = 200;

interface AgentsState {
  /** The agent whose conversation is shown; null for the newest. */
  readonly shown: string | null;
  /** True while the start page is shown though there are agents. */
  readonly starting: boolean;
  /** The programs; null before they were looked for. */
  readonly programs: readonly AgentProgram[] | null;
  /** The list that they come from; null before they were looked for. */
  readonly list: AgentList | null;
  /** True while the list is fetched. */
  readonly refreshing: boolean;
  /** Why they could not be looked for. */
  readonly problem: string | null;
  readonly kept: readonly KeptConversation[];
  /** The conversation that is read without its agent; null for none. */
  readonly read: KeptConversation | null;
  /** The terminals in which somebody logs in. */
  readonly logins: readonly LoginTerminal[];
  readonly logs: ReadonlyMap<string, ItemLog>;
  /** Conversations whose items were asked for. */
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

/** Follows what is told of agents, from the start of the page on. */
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
        void offerPlace(id).catch(() => {}); // an agent that has just been closed
      }
    }
    if (project?.path !== before.project?.path || project?.trusted !== before.project?.trusted) void lookAgain();
    // A conversation is kept once its agent is off the list.
    else if (hostedAgents.length < before.hostedAgents.length) void lookForConversations();
  });
}

/** The agent that is shown among those there are: the chosen one, or else the newest. @internal Exported for its test. */
export function shownAmong(
  hosted: readonly HostedAgent[],
  { shown, starting, read }: Pick<AgentsState, 'shown' | 'starting' | 'read'>,
): HostedAgent | null {
  if (starting || read !== null) return null;
  return hosted.find(({ id }) => id === shown) ?? hosted.at(-1) ?? null;
}

/** The agent whose conversation is shown; null on the start page. */
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

/** Goes back from the start page to the conversations. */
export function leaveStartPage(): void {
  agents.setState({ starting: false, read: null });
}

/** Shows a kept conversation without its agent. */
export function readConversation(read: KeptConversation): void {
  agents.setState({ read });
}

/** Goes back from a conversation that is read to the start page. */
export function leaveReading(): void {
  agents.setState({ read: null, starting: true });
}

/** Looks which programs and conversations there are; the promise never rejects. */
export async function lookForPrograms(): Promise<void> {
  try {
    const { programs, list } = await call('hosted.look', {});
    agents.setState({ programs, list, problem: null });
  } catch (error) {
    agents.setState({ problem: messageOf(error) });
  }
  await lookForConversations();
}

/** Fetches the list of agents. Resolves with true where it is new; why it is not is told by the list. */
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

/** Looks again in another project, or one that is trusted now; not before the panel was seen. */
async function lookAgain(): Promise<void> {
  agents.setState({ read: null });
  if (agents.getState().programs !== null) await lookForPrograms();
}

/** Asks for the newest items of a conversation, once. */
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

/** Asks for the items before the first that is known. */
export async function loadOlderItems(id: string): Promise<void> {
  const first = agents.getState().logs.get(id)?.items[0]?.seq;
  if (first === undefined) return;
  const { items } = await call('hosted.items', { id, before: first, most: ASKED });
  change(id, (log) => putOlder(log, items, ASKED));
}

/** Agents whose first prompt has got the place of their work. */
const placed = new Set<string>();

/** Puts the project and its instructions into the first prompt of a conversation, as chips that the person can leave out. */
async function offerPlace(id: string): Promise<void> {
  const { context } = await call('hosted.place', { id });
  if (context.length > 0) addToPrompt(id, context, '');
}

/** Takes a conversation off the disk. */
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

/** Keeps what the person wrote and no agent got: of one that has ended in its field, of one that is off the list for the next. */
function keepUnsent(before: readonly HostedAgent[], hosted: readonly HostedAgent[]): void {
  for (const { id, state, queued } of hosted) {
    const hadEnded = before.find((each) => each.id === id)?.state === 'ended';
    // A prompt that was taken back meanwhile is not there to be taken again, and nothing is lost.
    if (state === 'ended' && !hadEnded && queued !== null) void takeQueuedBack(id).catch(() => {});
  }
  for (const { id } of before) {
    if (hosted.some((each) => each.id === id)) continue;
    handOver(id, NEXT);
    forgetHeard(id);
  }
}

/** Lets go of the items of agents that are off the list, but for those of a conversation that is read. */
function forgetClosed(hosted: readonly HostedAgent[]): void {
  const isKept = (id: string): boolean => hosted.some((each) => each.id === id) || agents.getState().read?.id === id;
  agents.setState(({ logs, asked }) => ({
    logs: new Map([...logs].filter(([id]) => isKept(id))),
    asked: new Set([...asked].filter(isKept)),
  }));
}
