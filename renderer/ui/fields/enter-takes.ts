/** The Enter key in a field for Lisp. */
import { isComplete } from '#contract/sexp/reader.ts';

type Enter = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * True if a key submits the text of a field: Enter if all forms are complete, or Enter with Ctrl or Cmd in any case. Otherwise, and always
 * with Shift, Enter inserts a line break.
 */
export function enterTakes({ key, shiftKey, ctrlKey, metaKey }: Enter, text: string): boolean {
  return key === 'Enter' && !shiftKey && (ctrlKey || metaKey || text.trim() === '' || isComplete(text));
}
