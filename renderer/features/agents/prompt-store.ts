/** The prompt that is written to each agent: its text, kept over a restart, and the chips that go along with it. */
import * as z from 'zod/mini';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { call } from '../../base/bridge.ts';
import { layout } from '../../base/layout/layout-store.ts';
import { contribute, keepSoon } from '../../base/layout/workspace.ts';
import { withChip } from './chips.ts';
import { readImages } from './prompt-images.ts';
import { makeStore } from '../../base/store.ts';

/** Names the prompt that is written before there is an agent to write to: the first that is started takes it. */
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

/** Returns the prompt that is written to an agent. @internal Exported for its test. */
export function promptOf(agent: string): Prompt {
  return prompts.getState().get(agent) ?? EMPTY;
}

const kept = z.object({ agentPrompt: z.string() });

/**
 * Brings back what was written and not sent. No agent lives on over a restart, so that it waits for the next one. It lies in the part of the
 * workspace whose shape is the page's own.
 */
export function restorePrompt(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (parsed.success && parsed.data.agentPrompt !== '') set(NEXT, { text: parsed.data.agentPrompt, chips: [] });
  contribute(() => ({ layout: { ...layout.getState(), agentPrompt: latest() } }));
}

/** The text that was written last. */
function latest(): string {
  return ([...prompts.getState().values()].findLast(({ text }) => text.trim() !== '')?.text ?? '').slice(0, MOST_KEPT);
}

export function writePrompt(agent: string, text: string): void {
  set(agent, { ...promptOf(agent), text });
}

/** Adds a chip, and the suggested words where nothing is written yet. */
export function addToPrompt(agent: string, added: readonly PromptContext[], suggestion: string): void {
  const { text, chips } = promptOf(agent);
  set(agent, {
    chips: added.reduce(withChip, chips as PromptContext[]),
    text: text.trim() === '' ? suggestion : text,
  });
}

/**
 * Adds images as chips.
 * @throws Error with a sentence for each file that is none, or is one too many; the others are added.
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

/** The prompt is the agent's from now on; one that it has already stays. */
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

/** Sends what is written, unless it is nothing; it comes back where the agent cannot be given it. */
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

/** Takes the queued prompt back into the field, before what is written there, with its chips. */
export async function takeQueuedBack(agent: string): Promise<void> {
  const { text, context } = await call('hosted.unqueue', { id: agent });
  const { text: written, chips } = promptOf(agent);
  if (text === '' && context.length === 0) return;
  set(agent, {
    text: written.trim() === '' ? text : `${text}\n\n${written}`,
    chips: chips.reduce(withChip, context),
  });
}

/** The last that is set is the latest. */
function set(agent: string, prompt: Prompt): void {
  const others = [...prompts.getState()].filter(([id]) => id !== agent);
  prompts.setState(new Map(prompt === EMPTY ? others : [...others, [agent, prompt]]), true);
  keepSoon();
}
