/** A click on a result beside its form: its value is shown in the inspector, and what the line cannot hold opens below it. One on a recorded value shows all of its form. */
import { inspectHandle } from '../../base/image/inspect.ts';
import type { monaco } from '../../editor/monaco/monaco.ts';
import { toggleResult } from './opened-results.ts';
import { openRecording, type RecordingTarget } from '../recordings/recording-marks.ts';
import type { ResultTarget } from './results.ts';

/** Part of what Monaco tells of a click, which its declarations leave out: the text that was put in there. */
interface ClickedText {
  readonly injectedText?: {
    readonly options?: { readonly attachedData?: ResultTarget | RecordingTarget | null };
  } | null;
}

export function installResultClicks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  return editor.onMouseDown(({ event, target }) => {
    const { injectedText } = ((target as { detail?: unknown }).detail ?? {}) as ClickedText;
    const clicked = injectedText?.options?.attachedData;
    if (!clicked || !event.leftButton) return;
    if ('recording' in clicked) openRecording(clicked);
    else if (clicked.opens) toggleResult(editor, clicked.evaluation);
    else if (clicked.value) inspectHandle(clicked.value);
  });
}
