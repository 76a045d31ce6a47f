import { expect, it } from 'vitest';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { hostedAgentCalls } from '#contract/clients/hosted-agent.ts';
import { readImages } from './prompt-images.ts';

const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PNG = Uint8Array.from(atob(DATA), (character) => character.codePointAt(0)!);
const file = (name: string, bytes: Uint8Array<ArrayBuffer> = PNG): File => new File([bytes], name);
const none = (): PromptContext[] => [];
const small = async (): Promise<string> => 'data:image/webp;base64,AAAA';

it('An image is read with its kind by its bytes, and is what the contract takes', async () => {
  const { read, refused } = await readImages([file('plot.txt')], none, small);
  expect(refused).toEqual([]);
  expect(read).toEqual([
    {
      kind: 'image',
      title: 'plot.txt',
      text: '',
      image: { type: 'image/png', data: DATA, thumbnail: 'data:image/webp;base64,AAAA' },
    },
  ]);
  const { input } = hostedAgentCalls['hosted.prompt'];
  expect(input.safeParse({ id: 'a', text: 'Look', context: read }).success).toBe(true);
  const eleven = Array.from({ length: 11 }, (_, index) => ({ ...read[0]!, title: String(index) }));
  expect(input.safeParse({ id: 'a', text: 'Look', context: eleven }).success).toBe(false);
  const remote = { ...read[0]!, image: { ...read[0]!.image!, thumbnail: 'https://example.org/a.png' } };
  expect(input.safeParse({ id: 'a', text: 'Look', context: [remote] }).success).toBe(false);
});

it('Images of the same name are told apart', async () => {
  const { read } = await readImages([file('image.png'), file('image.png'), file('image.png')], none, small);
  expect(read.map(({ title }) => title)).toEqual(['image.png', 'image.png (2)', 'image.png (3)']);
});

it('What is no image, too large or one too many is left out with a sentence, and the others are read', async () => {
  const svg = file('drawing.svg', new TextEncoder().encode('<svg/>'));
  const large = file('large.png', new Uint8Array(5_100_000));
  const largest = new Uint8Array(5_000_000);
  largest.set(PNG);
  const first = await readImages([svg, file('a.png', largest), large], none, small);
  expect(first.read.map(({ title }) => title)).toEqual(['a.png']);
  expect(first.refused).toEqual([
    'drawing.svg is not a PNG, JPEG, GIF or WebP image.',
    'large.png has 5.1 MB. An image can have at most 5 MB.',
  ]);
  const nine = Array.from({ length: 9 }, (_, index) => file(`${index}.png`));
  const second = await readImages([...nine, file('late.png')], () => first.read, small);
  expect(second.read).toHaveLength(9);
  expect(second.refused).toEqual(['late.png was left out. A prompt can have at most 10 images.']);
});
