/** A prompt in the protocol's format: the person's text, and each piece of context. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { imageType, MOST_IMAGES } from '#contract/image/image-type.ts';
import { WorkbenchError } from '#core/base/error.ts';

/**
 * Returns the content blocks of a prompt. All context except images is added as text, because embedded resources do not reach every model:
 * one program writes them to files that its model cannot read, and others only add their addresses to the person's text.
 */
export function promptBlocks(text: string, context: readonly PromptContext[]): ContentBlock[] {
  const texts = context.filter(({ image }) => !image).map(({ title, text }) => `${title}:\n\n${text}`);
  return [
    { type: 'text', text: [text, ...texts].join('\n\n---\n\n') },
    ...context.flatMap(({ image }): ContentBlock[] =>
      image ? [{ type: 'image', mimeType: image.type, data: image.data }] : [],
    ),
  ];
}

/**
 * Checks images before they are added to a conversation. `isTaken` is true if the agent accepts images.
 * @throws WorkbenchError `refused` if it does not, `invalid` if the data does not match its stated type or there are too many images.
 */
export function checkImages(context: readonly PromptContext[], agent: string, isTaken: boolean): void {
  const images = context.flatMap(({ title, image }) => (image ? [{ title, image }] : []));
  if (images.length === 0) return;
  if (!isTaken)
    throw new WorkbenchError('refused', `${agent} does not accept images. Remove the images to send the text.`);
  if (images.length > MOST_IMAGES)
    throw new WorkbenchError(
      'invalid',
      `A prompt can have at most ${MOST_IMAGES} images, including those of the queued prompt. Remove some.`,
    );
  const wrong = images.find(({ image }) => imageType(Buffer.from(image.data.slice(0, 24), 'base64')) !== image.type);
  if (wrong) throw new WorkbenchError('invalid', `${wrong.title} is not a PNG, JPEG, GIF or WebP image.`);
}
