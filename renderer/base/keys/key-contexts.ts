/**
 * The key contexts of the current focus. Each region is a context. `Editor text` is the editor's text; all commands that act at
 * its caret have their keys there, so that these keys mean nothing in a field, list or box over the text. `REPL input` is the REPL's input,
 * and `Find` the editor's find box. `Field` is any other input field. `Text` covers all of these fields, and `Elsewhere` covers everything
 * else. An element with `data-keys`, such as the tree of files, is a context of its own while the focus is in it. `Selecting` comes first
 * while a mark is active.
 */
import { focusedRegion } from '../layout/regions.ts';

const EDITOR_TEXT = '.native-edit-context, textarea.inputarea';
const FIELD =
  'textarea, input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), [contenteditable="true"]';

let isSelecting: () => boolean = () => false;

/** Sets the test for whether a mark is active in the focused text. */
export function selectingWhen(test: () => boolean): void {
  isSelecting = test;
}

/** Returns the current contexts, the innermost first. */
export function keyContexts(): string[] {
  const at = document.activeElement;
  const region = focusedRegion();
  const outer = region === null ? [] : [region];
  if (at?.matches(EDITOR_TEXT) && !at.closest('.peekview-widget'))
    return [...(isSelecting() ? ['Selecting'] : []), 'Editor text', 'Text', ...outer];
  if (!at?.matches(FIELD)) {
    const own = at?.closest<HTMLElement>('[data-keys]')?.dataset['keys'];
    return [...(own === undefined ? [] : [own]), 'Elsewhere', ...outer];
  }
  const own = at.closest('.find-widget')
    ? 'Find'
    : at.getAttribute('aria-label') === 'REPL input'
      ? 'REPL input'
      : null;
  return [...(isSelecting() ? ['Selecting'] : []), ...(own === null ? [] : [own]), 'Field', 'Text', ...outer];
}
