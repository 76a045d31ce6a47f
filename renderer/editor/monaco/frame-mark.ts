/** The mark of the debugger's selected frame in the text: an arrow in the gutter, a highlighted line, and the running form. */
import { bufferOf } from '../text/buffers.ts';
import { monaco } from './monaco.ts';
import { markColour } from './monaco-theme.ts';
import { makeStore } from '../../base/store.ts';

interface FrameMark {
  /** The id of the debugger; the mark disappears when the debugger ends. */
  debugger: string;
  frame: number;
  buffer: string;
  /** UTF-16 offsets of the running form; equal if only its line is known. */
  start: number;
  end: number;
}

const [frameMark, useFrameMark] = makeStore<{ mark: FrameMark | null }>({ mark: null });

export { frameMark };

/** Returns the number of the frame marked in a buffer's text; null if there is none. */
export function useFrameIn(buffer: string | null): number | null {
  return useFrameMark(({ mark }) => (mark !== null && mark.buffer === buffer ? mark.frame : null));
}

export function installFrameMark(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const drawn = editor.createDecorationsCollection();
  let isSeen = false;
  const look = (): void => {
    isSeen = drawn
      .getRanges()
      .slice(0, 1)
      .some((mark) => isInView(editor, mark));
  };
  const draw = (): void => {
    const { mark } = frameMark.getState();
    const model = editor.getModel();
    drawn.set(mark && model && bufferOf(model)?.id === mark.buffer ? decorationsOf(model, mark) : []);
    look();
  };
  const listeners = [
    editor.onDidChangeModel(draw),
    // Monaco also fires this event when the editor's height changes, before the layout event; `scrollTop` is then unchanged.
    editor.onDidScrollChange(({ scrollTopChanged }) => (scrollTopChanged ? look() : undefined)),
    // The dock with the debugger takes room from the editor, so a mark that was visible is scrolled back into view.
    editor.onDidLayoutChange(() => {
      const [mark] = drawn.getRanges();
      if (mark && isSeen) editor.revealLineInCenterIfOutsideViewport(mark.startLineNumber);
      look();
    }),
  ];
  const stop = frameMark.subscribe(draw);
  draw();
  return {
    dispose(): void {
      stop();
      for (const listener of listeners) listener.dispose();
    },
  };
}

function isInView(editor: monaco.editor.IStandaloneCodeEditor, { startLineNumber: line }: monaco.Range): boolean {
  return editor.getVisibleRanges().some((range) => range.startLineNumber <= line && line <= range.endLineNumber);
}

function decorationsOf(
  model: monaco.editor.ITextModel,
  { start, end, frame }: FrameMark,
): monaco.editor.IModelDeltaDecoration[] {
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const line = new monaco.Range(range.startLineNumber, 1, range.startLineNumber, 1);
  return [
    {
      range: line,
      options: {
        isWholeLine: true,
        className: 'frame-line',
        glyphMarginClassName: 'frame-arrow',
        glyphMarginHoverMessage: { value: `The debugger’s frame ${frame} is at this place.` },
        overviewRuler: { color: markColour('error'), position: monaco.editor.OverviewRulerLane.Full },
      },
    },
    ...(end > start ? [{ range, options: { inlineClassName: 'frame-form' } }] : []),
  ];
}
