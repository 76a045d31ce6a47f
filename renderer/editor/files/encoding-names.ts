/** The names of encodings for display. */
import type { TextEncoding } from '#contract/text/text-file.ts';

export const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'iso-8859-1': 'ISO 8859-1',
};
