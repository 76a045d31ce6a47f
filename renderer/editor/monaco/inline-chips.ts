/** Chips after a form: text that the program shows in the line but that is not in the document. */
import { drawable } from '#contract/text/visible.ts';
import { monaco } from './monaco.ts';

/** The padding of a chip. It is text instead of CSS padding, because Monaco cuts long text into several elements. */
export const SPACE = '\u00a0';

export const STICKINESS = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;

export interface Piece {
  readonly text: string;
  readonly className: string;
  /** Data for the function that handles clicks on this piece. */
  readonly target?: object | null;
}

/** Draws a chip, which consists of pieces, after a range. Returns the ids of its decorations. */
export function drawChips(model: monaco.editor.ITextModel, range: monaco.Range, pieces: readonly Piece[]): string[] {
  const end = range.getEndPosition();
  // The gap is a separate piece, so that the caret at the form's end is drawn directly after the form.
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
