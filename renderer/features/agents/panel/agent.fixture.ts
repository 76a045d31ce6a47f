/** Agents of the fake core, which start, answer and end as the core's agents do, with the panel that shows them. */
import type {
  AgentItem,
  AgentProgram,
  HostedAgent,
  LoginTerminal,
  PromptContext,
} from '#contract/clients/hosted-agent.ts';
import type { Snapshot, WorkbenchCalls } from '#contract/rpc.ts';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { answer, type FakeCore, openWholeWindow, press, snapshotWith } from '../../../window.fixture.tsx';
import { agents } from '../agents-store.ts';
import { NEXT, promptOf, removeChip, writePrompt } from '../prompt-store.ts';

export const panel = page.getByRole('region', { name: 'Agent', exact: true });
export const log = panel.getByRole('log');
export const field = panel.getByRole('textbox', { name: /^Prompt to/ });
export const chips = panel.getByRole('list', { name: 'Attachments of the prompt' });
/** The agent's state at the top of the panel. The tab contains the same word, for screen readers. */
export const ready = panel.getByText('ready', { exact: true }).last();
export const question = page.getByRole('alertdialog');

let made = 0;

/** Returns an agent that is ready. Each test gets a new id, because the page remembers conversations by id. */
export function readyAgent(parts: Partial<HostedAgent> = {}): HostedAgent {
  made += 1;
  return {
    id: `agent-${made}`,
    program: 'claude-code',
    title: 'Claude Code',
    actor: { id: `client-${made}`, kind: 'client', name: 'Claude Code here' },
    state: 'idle',
    standing: 'unconfined',
    asks: false,
    problem: null,
    startedAt: 1_000,
    turnStartedAt: null,
    plan: [],
    usage: null,
    pickers: [],
    looser: null,
    takesImages: true,
    commands: [],
    logins: [],
    page: null,
    queued: null,
    process: { pid: 4712, memory: null },
    resumable: false,
    ...parts,
  };
}

/** The program of Claude Code, in a version that supports the strict access levels. */
export const PROGRAM: AgentProgram = {
  id: 'claude-code',
  title: 'Claude Code',
  description: '',
  page: null,
  recipe: true,
  state: 'ready',
  version: '0.100.0',
  tried: '0.100.0',
  newest: null,
  place: '/usr/bin/claude-agent-acp',
  command: null,
  own: false,
  update: null,
  problem: null,
  megabytes: null,
  install: null,
  standings: ['workbench-only', 'project-read-only', 'unconfined'],
  limits: null,
  unasked: 'It runs commands and changes files by itself.',
};

/** Returns a program that has to be installed first. */
export function missingProgram(parts: Partial<AgentProgram>): AgentProgram {
  return { ...PROGRAM, state: 'missing', version: null, place: null, ...parts };
}

export interface FakeAgents extends FakeCore {
  /** Returns the agents that the core reports. */
  hosted(): readonly HostedAgent[];
  /** Changes an agent, by default the newest one. */
  change(parts: Partial<HostedAgent>, id?: string): void;
  /** Reports an item of an agent, by default of the newest one. */
  item(item: AgentItem, id?: string): void;
  /** Reports the terminals of logins. */
  logins(terminals: readonly LoginTerminal[]): void;
  /** Returns the inputs of all calls with this name, oldest first. */
  inputs(name: keyof WorkbenchCalls): unknown[];
}

interface Given {
  /** The items of each conversation. */
  readonly items?: readonly AgentItem[];
  readonly snapshot?: Partial<Snapshot>;
  /** The programs that are found; by default Claude Code, which is ready. */
  readonly programs?: readonly AgentProgram[];
  /** The context that is sent with the first prompt. */
  readonly place?: PromptContext[];
  /** Fields of the agent that is created when a program is started. */
  readonly started?: Partial<HostedAgent>;
}

/** Opens the window and the panel with these agents. If there is no agent, the panel shows the start page. */
export async function openAgents(agentsNow: readonly HostedAgent[], given: Given = {}): Promise<FakeAgents> {
  const { items = [], snapshot = {}, programs = [PROGRAM], place = [], started = {} } = given;
  let hosted = [...agentsNow];
  const core = await openWholeWindow(snapshotWith(snapshot));
  const tell = (): void => core.tell('hosted-agents-changed', [...hosted]);
  const change: FakeAgents['change'] = (parts, id = hosted.at(-1)!.id) => {
    hosted = hosted.map((each) => (each.id === id ? { ...each, ...parts } : each));
    tell();
  };
  const stop = ({ id }: { id: string }): Record<string, never> => {
    change({ state: 'idle', asks: false, turnStartedAt: null }, id);
    return {};
  };
  answer({
    'hosted.look': () => ({ programs: [...programs], list: { at: null, problem: null, leftOut: 0 } }),
    'hosted.conversations': () => ({ conversations: [] }),
    'hosted.place': () => ({ context: place }),
    'hosted.log': () => ({ text: 'Started.' }),
    'hosted.items': ({ before, most }) => ({
      items: items.filter(({ seq }) => before === null || seq < before).slice(-most),
    }),
    'hosted.start': ({ standing, conversation }) => {
      const fresh = { state: 'idle', process: { pid: 4713, memory: null }, problem: null, ...started } as const;
      if (conversation !== null && hosted.some(({ id }) => id === conversation)) change(fresh, conversation);
      else hosted.push(readyAgent({ standing, ...(conversation === null ? {} : { id: conversation }), ...fresh }));
      tell();
      return { id: conversation ?? hosted.at(-1)!.id };
    },
    'hosted.prompt': () => ({}),
    'hosted.stop': stop,
    'hosted.end': ({ id }) => {
      change({ state: 'ended', process: null, resumable: true, turnStartedAt: null }, id);
      return {};
    },
    'hosted.close': ({ id }) => {
      hosted = hosted.filter((each) => each.id !== id);
      tell();
      return {};
    },
    'app.lookAtAddress': ({ text }) => ({ opened: { address: text, destination: new URL(text).host } }),
    'app.openAddress': () => ({}),
    'app.copy': () => ({}),
    'review.show': () => ({}),
  });
  agents.setState({ ...NOTHING_KNOWN, logs: new Map(), asked: new Set() });
  writePrompt(NEXT, '');
  for (const chip of promptOf(NEXT).chips) removeChip(NEXT, chip);
  if (hosted.length > 0) tell();
  await press('Control+Shift+X');
  await expect.element(panel).toBeVisible();
  return {
    ...core,
    hosted: () => hosted,
    change,
    item: (item, agent = hosted.at(-1)!.id) => core.tell('hosted-item', { agent, item }),
    logins: (terminals) => core.tell('hosted-logins-changed', [...terminals]),
    inputs: (name) => core.calls.filter((each) => each.name === name).map(({ input }) => input),
  };
}

const NOTHING_KNOWN = {
  shown: null,
  starting: false,
  programs: null,
  list: null,
  refreshing: false,
  problem: null,
  kept: [],
  read: null,
  logins: [],
} as const;

/** Writes a prompt and sends it. */
export async function ask(words: string): Promise<void> {
  await field.fill(words);
  await press('Enter');
}

/** Starts the program with this title at the access level `standing`. */
export async function clickStart(standing: string, title = 'Claude Code'): Promise<void> {
  await panel.getByText(standing, { exact: true }).click();
  await panel.getByRole('button', { name: `Start ${title}`, exact: true }).click();
  if (standing !== 'Unconfined') return;
  const asked = page.getByRole('alertdialog', { name: `Start ${title} unconfined?` });
  await expect.element(asked).toMatchTextContent('The workbench cannot prevent or show that');
  await asked.getByRole('button', { name: 'Start unconfined' }).click();
}

/** Chooses an entry from the visible agent's menu. */
export async function choose(entry: string): Promise<void> {
  await panel.getByRole('button', { name: 'More about Claude Code here' }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

export function asked(
  seq: number,
  text: string,
  parts: { context?: string[]; images?: { name: string; thumbnail: string }[] } = {},
): AgentItem {
  return { kind: 'asked', seq, at: seq, text, cut: 0, context: [], images: [], ...parts };
}

export function said(seq: number, text: string): AgentItem {
  return { kind: 'said', seq, at: seq, text, cut: 0, open: false };
}

export function called(
  seq: number,
  title: string,
  parts: Partial<Extract<AgentItem, { kind: 'call' }>> = {},
): AgentItem {
  const nothing = { text: '', cut: 0 };
  return {
    kind: 'call',
    seq,
    at: seq,
    id: `c${seq}`,
    title,
    status: 'done',
    tool: title,
    call: null,
    input: nothing,
    output: nothing,
    files: [],
    ...parts,
  };
}

export function notice(seq: number, text: string, tone: 'plain' | 'warning' | 'error' = 'error'): AgentItem {
  return { kind: 'notice', seq, at: seq, text, cut: 0, tone };
}
