/** Emacs's text changes, in the editor and in fields. */
import type { TextChange } from '../../base/text/emacs-text.ts';
import { forwardChar } from '../../base/text/emacs-text.ts';
import { pressInstead } from '../../base/keys/key-listener.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { LISP } from '../monaco/language.ts';
import { deactivateMark, regionOf } from './mark.ts';
import { textTarget } from './target.ts';

export function changeBy(change: (text: string, caret: number) => TextChange | null): void {
  const target = textTarget();
  if (!target) return;
  if (target.readOnly) return sayOfKeys('This text is read-only.');
  const made = change(target.text, target.caret);
  deactivateMark();
  if (made) target.replace(made.start, made.end, made.text, made.caret);
}

/**
 * Deletes the character after the caret. In Lisp text with guarded parentheses, does not delete a character if that would unbalance them.
 */
export function deleteChar(): void {
  const target = textTarget();
  deactivateMark();
  if (target?.editor) {
    const { widget, model } = target.editor;
    const guarded = model.getLanguageId() === LISP ? widget.getAction('lisp.deleteRight') : null;
    if (guarded) void guarded.run();
    else widget.trigger('keys', 'deleteRight', null);
  } else if (target && !target.readOnly) {
    const to = target.anchor === target.caret ? forwardChar(target.text, target.caret) : target.anchor;
    target.replace(Math.min(to, target.caret), Math.max(to, target.caret), '');
  }
}

/** Acts like Enter in the focused text. */
export function newline(): void {
  const target = textTarget();
  deactivateMark();
  if (!pressInstead('Enter') && target?.editor) target.editor.widget.trigger('keyboard', 'type', { text: '\n' });
}

export function openLine(): void {
  changeBy((_text, caret) => ({ start: caret, end: caret, text: '\n', caret }));
}

export function changeRegion(change: (text: string) => string): void {
  const target = textTarget();
  const region = target && regionOf(target);
  if (!target || !region) return sayOfKeys('There is no region, because the mark is not set. Set it first.');
  deactivateMark();
  target.replace(region.start, region.end, change(target.slice(region.start, region.end)), target.caret);
}

export function undo(step: 'undo' | 'redo'): void {
  const target = textTarget();
  deactivateMark();
  if (target?.editor) target.editor.widget.trigger('keys', step, null);
  else if (target) document.execCommand(step);
}
