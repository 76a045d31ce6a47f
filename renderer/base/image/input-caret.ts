/** The text of the REPL's input and the caret in it, for commands about what stands there while the REPL has the keyboard. */
import { focusedRegion } from '../layout/regions.ts';
import { packageOf, shownRepl } from './active-repl.ts';

export interface InputCaret {
  readonly text: string;
  readonly caret: number;
  readonly selected: string;
  readonly repl: string;
  /** The current package of the REPL. */
  readonly package: string;
}

/** The caret of the shown REPL's input, in the transcript the one that it had last; null while the keyboard is in another region. */
export function inputCaret(): InputCaret | null {
  if (focusedRegion() !== 'REPL') return null;
  const repl = shownRepl();
  const of = { repl: repl.id, package: packageOf(repl) };
  const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="REPL input"]');
  if (!field) return { text: '', caret: 0, selected: '', ...of };
  const { value, selectionStart, selectionEnd } = field;
  return { text: value, caret: selectionEnd, selected: value.slice(selectionStart, selectionEnd).trim(), ...of };
}
