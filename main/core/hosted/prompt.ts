/** A prompt as the protocol has it: the person's words, and each thing that goes along as a resource of its own. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptContext } from '#contract/hosted-agent.ts';
import { imageType, MOST_IMAGES } from '#contract/image-type.ts';
import { WorkbenchError } from '#core/error.ts';

/** `embedded`: the agent takes resources within a prompt; for another they are written into the text. Images are blocks of their own. */
export function promptBlocks(text: string, given: readonly PromptContext[], embedded: boolean): ContentBlock[] {
  return [
    ...textBlocks(
      text,
      given.filter(({ image }) => !image),
      embedded,
    ),
    ...given.flatMap(({ image }): ContentBlock[] =>
      image ? [{ type: 'image', mimeType: image.type, data: image.data }] : [],
    ),
  ];
}

/**
 * Checks images before they go into a conversation.
 * @throws WorkbenchError `refused` where the agent takes none, `invalid` for data of another kind than is said, and for too many.
 */
export function checkImages(context: readonly PromptContext[], agent: string, isTaken: boolean): void {
  const images = context.flatMap(({ title, image }) => (image ? [{ title, image }] : []));
  if (images.length === 0) return;
  if (!isTaken) throw new WorkbenchError('refused', `${agent} takes no images. Remove the images to send the text.`);
  if (images.length > MOST_IMAGES)
    throw new WorkbenchError(
      'invalid',
      `A prompt can have at most ${MOST_IMAGES} images, with those of the queued prompt. Remove some of them.`,
    );
  const wrong = images.find(({ image }) => imageType(Buffer.from(image.data.slice(0, 24), 'base64')) !== image.type);
  if (wrong) throw new WorkbenchError('invalid', `${wrong.title} is not a PNG, JPEG, GIF or WebP image.`);
}

function textBlocks(text: string, context: readonly PromptContext[], embedded: boolean): ContentBlock[] {
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
