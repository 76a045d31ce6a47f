/** A prompt as the protocol has it: the person's words, and each thing that goes along. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptContext } from '#contract/hosted-agent.ts';

/**
 * All of it is text. Embedded resources would be meant for what goes along, but not all models get them: one program writes them into files that its model
 * cannot read, and others put their addresses into the words of the person.
 */
export function promptBlocks(text: string, context: readonly PromptContext[]): ContentBlock[] {
  return [
    { type: 'text', text: [text, ...context.map(({ title, text }) => `${title}:\n\n${text}`)].join('\n\n---\n\n') },
  ];
}
