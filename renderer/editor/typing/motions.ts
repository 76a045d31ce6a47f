/** Emacs's caret motions, in the editor and in fields. */
import type { Motion } from '../../base/text/emacs-text.ts';
import { otherLine } from '../../base/text/emacs-text.ts';
import { topLevelAt } from '#contract/sexp/forms.ts';
import { pressInstead } from '../../base/keys/key-listener.ts';
import { readingOf } from '../groups/active-editor.ts';
import { monaco } from '../monaco/monaco.ts';
import { markFrom, moving, remember } from './mark.ts';
import { textTarget } from './target.ts';

export function moveBy(motion: Motion): void {
  moving(() => {
    const target = textTarget();
    if (!target) return;
    const to = motion(target.text, target.caret);
    target.select(to, to);
  });
}

/**
 * Moves the caret to the line above or below. In a suggestion list, selects the next entry instead; in the editor, follows wrapped lines.
 */
export function moveByLine(direction: -1 | 1): void {
  const target = textTarget();
  if (target?.editor) {
    if (document.querySelector('.suggest-widget.visible'))
      return target.editor.widget.trigger(
        'keys',
        direction > 0 ? 'selectNextSuggestion' : 'selectPrevSuggestion',
        null,
      );
    return moving(() => target.editor!.widget.trigger('keys', direction > 0 ? 'cursorDown' : 'cursorUp', null));
  }
  if (pressInstead(direction > 0 ? 'ArrowDown' : 'ArrowUp')) return;
  const to = target ? otherLine(target.text, target.caret, direction) : null;
  if (to !== null) moving(() => target!.select(to, to));
}

export function moveByPage(direction: -1 | 1): void {
  const target = textTarget();
  if (!target?.editor) return void pressInstead(direction > 0 ? 'PageDown' : 'PageUp');
  moving(() => target.editor!.widget.trigger('keys', direction > 0 ? 'cursorPageDown' : 'cursorPageUp', null));
}

/** Moves the caret to the start or end of the text, and sets a mark at its previous position. */
export function moveToEdge(edge: 'start' | 'end'): void {
  const before = textTarget();
  if (!before) return;
  moving(() => {
    const target = textTarget()!;
    remember(target, target.caret);
    if (target.editor)
      return target.editor.widget.trigger('keys', edge === 'start' ? 'cursorTop' : 'cursorBottom', null);
    const to = edge === 'start' ? 0 : target.text.length;
    target.select(to, to);
  });
}

/** Moves the caret back to the nearest start of a top-level form, or forward to the nearest end of one. */
export function moveByTopLevel(direction: -1 | 1): void {
  moving(() => {
    const part = textTarget()?.editor;
    if (!part) return;
    const { widget, model } = part;
    const caret = model.getOffsetAt(widget.getPosition()!);
    const { forms } = readingOf(model).reading;
    const to =
      direction < 0
        ? (forms.findLast(({ start }) => start < caret)?.start ?? 0)
        : (forms.find(({ end }) => end > caret)?.end ?? model.getValueLength());
    widget.setPosition(model.getPositionAt(to));
    widget.revealPosition(widget.getPosition()!);
  });
}

export function selectTopLevel(): void {
  const target = textTarget();
  if (!target?.editor) return;
  const { widget, model, offsetOf } = target.editor;
  const { text, reading } = readingOf(model);
  const span = topLevelAt(text, reading, model.getOffsetAt(widget.getPosition()!));
  if (!span) return;
  markFrom(target, offsetOf(model.getPositionAt(span.end)), offsetOf(model.getPositionAt(span.start)));
}

/** Extends the region over the next form: the mark moves and the caret stays. */
export function selectByForm(forward: (text: string, caret: number) => number | null): void {
  const target = textTarget();
  if (!target) return;
  const from = target.anchor > target.caret ? target.anchor : target.caret;
  const to = forward(target.text, from);
  if (to !== null) markFrom(target, to, target.caret);
}

export function selectAll(): void {
  const target = textTarget();
  if (!target?.editor) {
    if (target) markFrom(target, target.text.length, 0);
    return;
  }
  const { model, offsetOf } = target.editor;
  remember(target, target.caret);
  markFrom(target, offsetOf(model.getFullModelRange().getEndPosition()), offsetOf({ lineNumber: 1, column: 1 }));
}

/** Scrolls the caret's line to the middle of the editor. */
export function recenter(): void {
  const widget = textTarget()?.editor?.widget;
  widget?.revealPositionInCenter(widget.getPosition()!, monaco.editor.ScrollType.Immediate);
}
