/**
 * Clicks on a result beside its form. A click shows the value in the inspector, or expands text that does not fit in the line. A click on a
 * recorded value opens the recordings of its form.
 */
import { inspectHandle } from '../../base/image/inspect.ts';
import type { monaco } from '../../editor/monaco/monaco.ts';
import { toggleResult } from './opened-results.ts';
import { openRecording, type RecordingTarget } from '../recordings/recording-marks.ts';
import type { ResultTarget } from './results.ts';

/** A part of Monaco's click data that its declarations leave out: the injected text. */
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
