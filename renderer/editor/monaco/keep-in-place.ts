/**
 * Keeps the text at its place on the screen while the editor's edges move, as when a bar appears above it. The line with the caret stays in
 * view when the editor becomes lower.
 */
import { monaco } from './monaco.ts';

export function installKeepInPlace(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  let top = topOf(editor);
  let height = editor.getLayoutInfo().height;
  let scroll = editor.getScrollTop();
  const scrolled = editor.onDidScrollChange(({ scrollTop }) => {
    // Ignores the scrolling with which the editor itself follows a change of its height.
    if (editor.getLayoutInfo().height === height) scroll = scrollTop;
  });
  const laidOut = editor.onDidLayoutChange((layout) => {
    const before = height;
    const moved = topOf(editor) - top;
    top += moved;
    height = layout.height;
    // An editor without a height is hidden; its text has no place on the screen.
    if (before !== 0 && height !== 0 && (moved !== 0 || height !== before)) {
      const wasShown = isCaretShown(editor, scroll, before);
      editor.setScrollTop(scroll + moved, monaco.editor.ScrollType.Immediate);
      const caret = editor.getPosition();
      if (wasShown && caret && !isCaretShown(editor, editor.getScrollTop(), height))
        editor.revealPosition(caret, monaco.editor.ScrollType.Immediate);
    }
    scroll = editor.getScrollTop();
  });
  return {
    dispose: () => {
      scrolled.dispose();
      laidOut.dispose();
    },
  };
}

function topOf(editor: monaco.editor.IStandaloneCodeEditor): number {
  return editor.getDomNode()?.getBoundingClientRect().top ?? 0;
}

/** Returns true if the line with the caret is shown in an editor of the given height that is scrolled to `scroll`. */
function isCaretShown(editor: monaco.editor.IStandaloneCodeEditor, scroll: number, height: number): boolean {
  const caret = editor.getPosition();
  if (!caret) return false;
  const line = editor.getTopForPosition(caret.lineNumber, caret.column) - scroll;
  return line >= 0 && line + editor.getOption(monaco.editor.EditorOption.lineHeight) <= height;
}
