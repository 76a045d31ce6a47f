/** Enter in a field for Lisp. */
import { isComplete } from '#contract/sexp/reader.ts';

type Enter = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** True where a key takes what stands in a field: Enter at whole forms, and with Ctrl or Cmd at any text. Else, and with Shift, it begins a line. */
export function enterTakes({ key, shiftKey, ctrlKey, metaKey }: Enter, text: string): boolean {
  return key === 'Enter' && !shiftKey && (ctrlKey || metaKey || text.trim() === '' || isComplete(text));
}
