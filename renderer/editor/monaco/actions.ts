/** Runs Monaco's own actions on the visible text on behalf of commands. The text gets the focus. */
import { activeEditor } from '../groups/active-editor.ts';
import { activeBuffer } from '../text/buffers.ts';

/** Runs an action or a command of the editor by its id. */
export function runAction(id: string): Promise<void> | undefined {
  const editor = activeEditor();
  editor?.focus();
  const action = editor?.getAction(id);
  if (action) return action.run();
  editor?.trigger('command', id, {});
  return undefined;
}

/** The properties of Monaco's internal suggestion list that are used here. */
interface SuggestController {
  readonly widget: { readonly value: { onDidHide(listener: () => void): { dispose(): void } } };
}

/** Shows the completions at the caret. Enter accepts the selected item until the list closes, because the user requested the list. */
export function showCompletions(): void {
  const editor = activeEditor();
  if (!editor || !activeBuffer()) return;
  editor.updateOptions({ acceptSuggestionOnEnter: 'on' });
  const controller = editor.getContribution('editor.contrib.suggestController') as SuggestController | null;
  const hidden = controller?.widget.value.onDidHide(() => {
    hidden?.dispose();
    editor.updateOptions({ acceptSuggestionOnEnter: 'off' });
  });
  editor.focus();
  editor.trigger('keyboard', 'editor.action.triggerSuggest', {});
}
