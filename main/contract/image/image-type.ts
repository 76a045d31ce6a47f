/** Types of images attached to a prompt for an agent, detected from the first bytes, and limits on the number and size of these images. */

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The maximum size of an image in bytes. */
export const LARGEST_IMAGE = 5_000_000;
/** The maximum number of images in a prompt. */
export const MOST_IMAGES = 10;
/** The maximum length of a thumbnail's data URL in characters. */
export const LARGEST_THUMBNAIL = 16_000;

/** Returns the type of an image from its first bytes, regardless of its name; null for any other data. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const begins = (at: number, ...expected: readonly number[]): boolean =>
    expected.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return null;
}
