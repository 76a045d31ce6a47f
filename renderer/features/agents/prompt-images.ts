/** Reads files as images for a prompt, with a thumbnail of each, or explains why a file is refused. */
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { imageType, LARGEST_IMAGE, LARGEST_THUMBNAIL, MOST_IMAGES } from '#contract/image/image-type.ts';
import { beginning } from '#contract/text/text.ts';
import { MOST_CHIPS } from './chips.ts';

/** The file types that the dialog offers. */
export const IMAGE_FILES = 'image/png,image/jpeg,image/gif,image/webp';

const THUMBNAIL_PIXELS = 96;
const LONGEST_NAME = 100;

type Chips = readonly PromptContext[];

interface ReadImages {
  readonly read: PromptContext[];
  /** One sentence for each refused file. */
  readonly refused: string[];
}

/** Reads files in order. `chipsNow` returns the prompt's current chips, including those that were added while a file was being read. */
export async function readImages(
  files: readonly File[],
  chipsNow: () => Chips,
  thumbnailOf: (file: Blob) => Promise<string> = drawnThumbnail,
): Promise<ReadImages> {
  const read: PromptContext[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const name = beginning(file.name.trim() || 'image', LONGEST_NAME);
    const problem = tooLarge(name, file.size);
    const bytes = problem === null ? await bytesOf(file) : null;
    const type = bytes && imageType(bytes);
    const thumbnail = type ? await thumbnailOf(new Blob([bytes], { type })) : '';
    const chips = [...chipsNow(), ...read];
    const why = problem ?? (type ? tooMany(name, chips) : `${name} is not a PNG, JPEG, GIF or WebP image.`);
    if (why === null && bytes && type)
      read.push({
        kind: 'image',
        title: unused(name, chips),
        text: '',
        image: { type, data: base64(bytes), thumbnail },
      });
    else if (why !== null) refused.push(why);
  }
  return { read, refused };
}

/** Returns the bytes of a file; null if they cannot be read, for example because the file is a folder. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer> | null> {
  return file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  );
}

function tooLarge(name: string, bytes: number): string | null {
  if (bytes <= LARGEST_IMAGE) return null;
  return `${name} has ${(bytes / 1e6).toFixed(1)} MB. An image can have at most ${LARGEST_IMAGE / 1e6} MB.`;
}

function tooMany(name: string, chips: Chips): string | null {
  if (chips.filter(({ image }) => image).length >= MOST_IMAGES)
    return `${name} was left out. A prompt can have at most ${MOST_IMAGES} images.`;
  return chips.length >= MOST_CHIPS
    ? `${name} was left out. A prompt can have at most ${MOST_CHIPS} attachments.`
    : null;
}

/** Returns a unique name for an image. This is needed because all pasted images have the same name. */
function unused(name: string, chips: Chips): string {
  const isTaken = (title: string): boolean => chips.some((chip) => chip.kind === 'image' && chip.title === title);
  let title = name;
  for (let number = 2; isTaken(title); number += 1) title = `${name} (${number})`;
  return title;
}

const CHUNK = 0x80_00;

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCodePoint(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}

/** Returns a small version of the image as a data URL; empty if the image cannot be decoded or the result is still too large. */
async function drawnThumbnail(file: Blob): Promise<string> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, THUMBNAIL_PIXELS / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const drawn = canvas.toDataURL('image/webp', 0.8);
    return drawn.length <= LARGEST_THUMBNAIL ? drawn : '';
  } catch {
    return '';
  }
}
