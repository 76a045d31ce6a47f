/** Notes beside the caret. They take no focus, and disappear with the next key. */
import type { monaco } from './monaco.ts';

interface MessageContribution extends monaco.editor.IEditorContribution {
  showMessage(text: string, position: monaco.IPosition): void;
}

export function showNote(editor: monaco.editor.IStandaloneCodeEditor, text: string): void {
  const position = editor.getPosition();
  const messages = editor.getContribution<MessageContribution>('editor.contrib.messageController');
  if (position) messages?.showMessage(text, position);
}
