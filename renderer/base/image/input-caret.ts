/** The text and the caret of the REPL's input, for commands about the name at the caret while the REPL has the focus. */
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

/**
 * Returns the caret of the visible REPL's input. If the transcript has the focus, returns the input's last caret. Returns null while
 * another region has the focus.
 */
export function inputCaret(): InputCaret | null {
  if (focusedRegion() !== 'REPL') return null;
  const repl = shownRepl();
  const of = { repl: repl.id, package: packageOf(repl) };
  const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="REPL input"]');
  if (!field) return { text: '', caret: 0, selected: '', ...of };
  const { value, selectionStart, selectionEnd } = field;
  return { text: value, caret: selectionEnd, selected: value.slice(selectionStart, selectionEnd).trim(), ...of };
}
