/**
 * Hides the editor's temporary hints: the hover that a key opened, and the link under the pointer while Ctrl is down. Monaco hides them
 * only when it receives a key, but it does not receive the keys of commands or of other parts of the window. Monaco would also draw a link
 * whose definition arrives after Ctrl was released.
 */
import type { monaco } from './monaco.ts';

/** The properties of Monaco's internal link component that are used here. */
interface LinkPart {
  previousPromise: { cancel(): void } | null;
  currentWordAtPosition: unknown;
  removeLinkDecorations(): void;
}

export function installPassingHints(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const endLink = (): void => {
    const link = editor.getContribution('editor.contrib.gotodefinitionatposition') as LinkPart | null;
    if (!link) return;
    link.previousPromise?.cancel();
    link.previousPromise = null;
    link.currentWordAtPosition = null;
    link.removeLinkDecorations();
  };
  const ended = new AbortController();
  const { signal } = ended;
  const onKeyUp = ({ key }: KeyboardEvent): void => {
    if (key === 'Control' || key === 'Meta') endLink();
  };
  window.addEventListener('keyup', onKeyUp, { capture: true, signal });
  window.addEventListener('blur', endLink, { signal });
  const listening = [
    editor.onMouseLeave(endLink),
    editor.onDidChangeCursorPosition(() => hideHover(editor)),
    editor.onDidChangeModelContent(() => hideHover(editor)),
  ];
  return {
    dispose: () => {
      ended.abort();
      for (const each of listening) each.dispose();
    },
  };
}

/** The properties of Monaco's internal hover component that are used here. */
interface HoverPart {
  readonly isHoverVisible?: boolean;
}

export function showsHover(editor: monaco.editor.IStandaloneCodeEditor): boolean {
  const hover = editor.getContribution('editor.contrib.contentHover') as HoverPart | null;
  return hover?.isHoverVisible ?? false;
}

/** Shows the hover at the caret. If it is already visible, the focus stays in the text. */
export function showHover(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.trigger('keyboard', 'editor.action.showHover', { focus: 'noAutoFocus' });
}

export function hideHover(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.trigger('keyboard', 'editor.action.hideHover', {});
}
