import { expect, it } from 'vitest';
import { imageType } from './image-type.ts';

it.each([
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['image/gif', [...Buffer.from('GIF89a')]],
  ['image/webp', [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')]],
  [null, [...Buffer.from('RIFF\0\0\0\0WAVE')]],
  [null, [...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]],
  [null, []],
])('The kind of an image is known by its bytes: %s', (type, bytes) => {
  expect(imageType(Uint8Array.from(bytes))).toBe(type);
});
