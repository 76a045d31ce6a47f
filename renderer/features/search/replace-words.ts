/** The question before a replacement in files and the message after it, with the files that are left out. Pure. */
import { counted } from '#contract/text/text.ts';

export interface Replacement {
  readonly pattern: string;
  readonly replacement: string;
  /** The number of files with found lines. */
  readonly files: number;
  /** The number of files that will be changed. */
  readonly changed: number;
}

export function questionOf({ pattern, replacement, files, changed }: Replacement): { title: string; text: string } {
  const inFiles = files > changed ? `${changed} of ${counted(files, 'file')}` : counted(files, 'file');
  const left = files - changed;
  const rest =
    left > 0
      ? ` Not all files can be changed at once; ${counted(left, 'file')} ${left === 1 ? 'is' : 'are'} left for the next replacement.`
      : '';
  return {
    title: `Replace “${pattern}” in ${inFiles}?`,
    text: `Each file is opened with “${replacement}” inserted and is not saved, so that you can check, undo and save the changes.${rest}`,
  };
}

/** Returns a message about a replacement that changed `places` places in `texts` texts. */
export function outcomeOf(
  { files, changed }: Pick<Replacement, 'files' | 'changed'>,
  { places, texts }: { places: number; texts: number },
): string {
  const left = files - changed;
  const rest = left > 0 ? ` ${counted(left, 'file')} ${left === 1 ? 'is' : 'are'} not changed.` : '';
  return `Replaced ${counted(places, 'place')} in ${counted(texts, 'text')}. Nothing is saved yet.${rest}`;
}
