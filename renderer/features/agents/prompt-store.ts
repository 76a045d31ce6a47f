/** The unsent prompt for each agent: its text, which survives a restart, and its chips. */
import * as z from 'zod/mini';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { call } from '../../base/bridge.ts';
import { layout } from '../../base/layout/layout-store.ts';
import { contribute, keepSoon } from '../../base/layout/workspace.ts';
import { withChip } from './chips.ts';
import { readImages } from './prompt-images.ts';
import { makeStore } from '../../base/store.ts';

/** The key of the prompt that is written while there is no agent. The first agent that starts gets this prompt. */
export const NEXT = 'next';

export interface Prompt {
  readonly text: string;
  readonly chips: readonly PromptContext[];
}

const EMPTY: Prompt = { text: '', chips: [] };
const MOST_KEPT = 50_000;

const [prompts, useStored] = makeStore<ReadonlyMap<string, Prompt>>(new Map());

export function usePrompt(agent: string): Prompt {
  return useStored((all) => all.get(agent) ?? EMPTY);
}

/** Returns the unsent prompt for an agent. @internal Exported for its test. */
export function promptOf(agent: string): Prompt {
  return prompts.getState().get(agent) ?? EMPTY;
}

const kept = z.object({ agentPrompt: z.string() });

/**
 * Restores the unsent prompt from the field of the workspace that only the page interprets. The prompt waits for the next agent, because no
 * agent survives a restart.
 */
export function restorePrompt(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (parsed.success && parsed.data.agentPrompt !== '') set(NEXT, { text: parsed.data.agentPrompt, chips: [] });
  contribute(() => ({ layout: { ...layout.getState(), agentPrompt: latest() } }));
}

/** Returns the text that was written last. */
function latest(): string {
  return ([...prompts.getState().values()].findLast(({ text }) => text.trim() !== '')?.text ?? '').slice(0, MOST_KEPT);
}

export function writePrompt(agent: string, text: string): void {
  set(agent, { ...promptOf(agent), text });
}

/** Adds chips, and the suggested text if the prompt has none. */
export function addToPrompt(agent: string, added: readonly PromptContext[], suggestion: string): void {
  const { text, chips } = promptOf(agent);
  set(agent, {
    chips: added.reduce(withChip, chips as PromptContext[]),
    text: text.trim() === '' ? suggestion : text,
  });
}

/**
 * Adds images as chips.
 * @throws Error with a sentence for each file that is not an image or exceeds the limit; the other files are added.
 */
export async function addImages(agent: string, files: readonly File[]): Promise<void> {
  const { read, refused } = await readImages(files, () => promptOf(agent).chips);
  const { text, chips } = promptOf(agent);
  if (read.length > 0) set(agent, { text, chips: read.reduce(withChip, chips as PromptContext[]) });
  if (refused.length > 0) throw new Error(refused.join(' '));
}

export function removeChip(agent: string, chip: PromptContext): void {
  const { text, chips } = promptOf(agent);
  set(agent, { text, chips: chips.filter((each) => each !== chip) });
}

/**
 * Moves a prompt to another agent. If the other agent already has text, that text stays. The chips are added to the other agent's chips.
 */
export function handOver(from: string, to: string): void {
  const prompt = promptOf(from);
  if (prompt === EMPTY) return;
  const own = promptOf(to);
  set(from, EMPTY);
  set(to, {
    text: own.text.trim() === '' ? prompt.text : own.text,
    chips: prompt.chips.reduce(withChip, own.chips as PromptContext[]),
  });
}

/** Sends the prompt unless it is empty. If sending fails, the prompt returns to the field. */
export async function sendPrompt(agent: string): Promise<boolean> {
  const { text, chips } = promptOf(agent);
  if (text.trim() === '') return false;
  set(agent, EMPTY);
  try {
    await call('hosted.prompt', { id: agent, text, context: [...chips] });
    return true;
  } catch (error) {
    if (promptOf(agent) === EMPTY) set(agent, { text, chips });
    throw error;
  }
}

/** Moves the queued prompt with its chips back into the field, before any text there. */
export async function takeQueuedBack(agent: string): Promise<void> {
  const { text, context } = await call('hosted.unqueue', { id: agent });
  const { text: written, chips } = promptOf(agent);
  if (text === '' && context.length === 0) return;
  set(agent, {
    text: written.trim() === '' ? text : `${text}\n\n${written}`,
    chips: chips.reduce(withChip, context),
  });
}

/** Stores a prompt as the last entry, because the last entry counts as the latest. */
function set(agent: string, prompt: Prompt): void {
  const others = [...prompts.getState()].filter(([id]) => id !== agent);
  prompts.setState(new Map(prompt === EMPTY ? others : [...others, [agent, prompt]]), true);
  keepSoon();
}
