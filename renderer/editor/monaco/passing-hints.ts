/**
 * Taking away what the editor shows in passing: the hover that was asked for by a key, and the link under the pointer while Ctrl is down.
 * Monaco ends both by keys that come to it alone. A key that is a command's, or goes to another part of the window, does not; and a link
 * whose definition is looked up meanwhile would be drawn after its end.
 */
import type { monaco } from './monaco.ts';

/** The editor's own part that draws the link, as far as it is used here. */
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

/** The editor's own part that draws the hover, as far as it is used here. */
interface HoverPart {
  readonly isHoverVisible?: boolean;
}

export function showsHover(editor: monaco.editor.IStandaloneCodeEditor): boolean {
  const hover = editor.getContribution('editor.contrib.contentHover') as HoverPart | null;
  return hover?.isHoverVisible ?? false;
}

/** Shows what is known of the place of the caret, and leaves the keyboard in the text where that is shown already. */
export function showHover(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.trigger('keyboard', 'editor.action.showHover', { focus: 'noAutoFocus' });
}

export function hideHover(editor: monaco.editor.IStandaloneCodeEditor): void {
  editor.trigger('keyboard', 'editor.action.hideHover', {});
}
