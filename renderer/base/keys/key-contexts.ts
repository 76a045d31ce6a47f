/**
 * The contexts in which keys are pressed, by where the focus is. Besides the names of the regions: `Editor text` is the text of the
 * editor, `REPL input` the REPL's, `Find` the editor's box for finding, `Field` everything else that is typed in, `Text` all of them,
 * `Elsewhere` the rest; `Selecting` comes first while a mark is active.
 */
import { focusedRegion } from '../layout/regions.ts';

const EDITOR_TEXT = '.native-edit-context, textarea.inputarea';
const FIELD =
  'textarea, input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), [contenteditable="true"]';

let isSelecting: () => boolean = () => false;

/** Says from now on whether a mark is active in the text that has the focus. */
export function selectingWhen(test: () => boolean): void {
  isSelecting = test;
}

/** The contexts that hold now, the innermost first. */
export function keyContexts(): string[] {
  const at = document.activeElement;
  const region = focusedRegion();
  const outer = region === null ? [] : [region];
  if (at?.matches(EDITOR_TEXT) && !at.closest('.peekview-widget'))
    return [...(isSelecting() ? ['Selecting'] : []), 'Editor text', 'Text', ...outer];
  if (!at?.matches(FIELD)) return ['Elsewhere', ...outer];
  const own = at.closest('.find-widget')
    ? 'Find'
    : at.getAttribute('aria-label') === 'REPL input'
      ? 'REPL input'
      : null;
  return [...(isSelecting() ? ['Selecting'] : []), ...(own === null ? [] : [own]), 'Field', 'Text', ...outer];
}
