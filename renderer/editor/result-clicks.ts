/** A click on a value beside its form shows it in the inspector. */
import { inspectHandle } from '../features/inspect.ts';
import type { monaco } from './monaco.ts';
import type { ShownValue } from './results.ts';

/** Part of what Monaco tells of a click, which its declarations leave out: the text that was put in there. */
interface ClickedText {
  readonly injectedText?: { readonly options?: { readonly attachedData?: ShownValue | null } } | null;
}

export function installResultClicks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  return editor.onMouseDown(({ event, target }) => {
    const { injectedText } = ((target as { detail?: unknown }).detail ?? {}) as ClickedText;
    const value = injectedText?.options?.attachedData;
    if (value && event.leftButton) inspectHandle(value);
  });
}
