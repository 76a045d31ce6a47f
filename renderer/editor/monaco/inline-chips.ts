/** Chips after a form: text of the program's own that stands in the line and is no part of the text. */
import { drawable } from '#contract/text/visible.ts';
import { monaco } from './monaco.ts';

/** Monaco cuts long text into several elements, so a chip's padding is text of its own. */
export const SPACE = '\u00a0';

export const STICKINESS = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;

export interface Piece {
  readonly text: string;
  readonly className: string;
  /** Told to whoever a click on this piece is for. */
  readonly target?: object | null;
}

/** Draws a chip of pieces behind a range; the ids of its decorations. */
export function drawChips(model: monaco.editor.ITextModel, range: monaco.Range, pieces: readonly Piece[]): string[] {
  const end = range.getEndPosition();
  // A gap of its own, so that the caret at the form's end stands at the form.
  return model.deltaDecorations(
    [],
    [
      { text: SPACE + SPACE, className: 'inline-gap' },
      { text: SPACE, className: 'inline-chip inline-start' },
      ...pieces,
      { text: SPACE, className: 'inline-chip inline-end' },
    ].map(({ text, className, target }: Piece) => ({
      range: new monaco.Range(end.lineNumber, end.column, end.lineNumber, end.column),
      options: {
        stickiness: STICKINESS,
        showIfCollapsed: true,
        after: {
          content: drawable(text),
          inlineClassName: className,
          inlineClassNameAffectsLetterSpacing: true,
          attachedData: target ?? null,
          cursorStops:
            className === 'inline-gap'
              ? monaco.editor.InjectedTextCursorStops.Left
              : monaco.editor.InjectedTextCursorStops.None,
        },
      },
    })),
  );
}
