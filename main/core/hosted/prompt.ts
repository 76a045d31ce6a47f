/** A prompt as the protocol has it: the person's words, and each thing that goes along as a resource of its own. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptContext } from '#contract/hosted-agent.ts';

/** `embedded`: the agent takes resources within a prompt; for another they are written into the text. */
export function promptBlocks(text: string, context: readonly PromptContext[], embedded: boolean): ContentBlock[] {
  if (embedded)
    return [
      { type: 'text', text },
      ...context.map(({ title, kind, text }, index): ContentBlock => ({
        type: 'resource',
        resource: {
          uri: `lisp-workbench:/context/${index + 1}/${encodeURIComponent(kind)}`,
          mimeType: 'text/plain',
          text: `${title}\n\n${text}`,
        },
      })),
    ];
  return [
    { type: 'text', text: [text, ...context.map(({ title, text }) => `${title}:\n\n${text}`)].join('\n\n---\n\n') },
  ];
}
