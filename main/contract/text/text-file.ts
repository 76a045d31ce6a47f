/** A text file that is open in the editor. */
import { z } from 'zod';
import { diffHunk } from '#contract/decisions/approval.ts';

export const textEncoding = z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'iso-8859-1']);

export const fileText = z.object({
  path: z.string(),
  text: z.string(),
  /** The digest of the bytes on disk. */
  digest: z.string(),
  encoding: textEncoding,
  /** True if the bytes are not valid in the file's encoding. */
  lossy: z.boolean(),
});

/** The differing lines of two texts. */
export const textDifference = z.object({
  hunks: z.array(diffHunk),
  /** The reason why the lines are not compared: the texts are too long or too different. Null if they are compared. */
  why: z.string().nullable(),
});

export type TextEncoding = z.infer<typeof textEncoding>;
export type FileText = z.infer<typeof fileText>;
export type TextDifference = z.infer<typeof textDifference>;
