/** A text file as the person's editor holds it. */
import { z } from 'zod';

export const textEncoding = z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'iso-8859-1']);

export const fileText = z.object({
  path: z.string(),
  text: z.string(),
  /** Names the bytes on disk. */
  digest: z.string(),
  encoding: textEncoding,
  /** The bytes are no text of that encoding. */
  lossy: z.boolean(),
});

export type TextEncoding = z.infer<typeof textEncoding>;
export type FileText = z.infer<typeof fileText>;
