/** Export of the transcript to the clipboard or to a file. */
import { call } from '../../../base/bridge.ts';
import { mirror } from '../../../base/mirror.ts';
import { notify } from '../../../base/notices/notices.tsx';
import { transcript } from '../../../base/image/transcript-store.ts';
import { transcriptScript, transcriptText } from './transcript-text.ts';

/** The maximum number of characters that are copied to the clipboard. */
const MOST_COPIED = 1_000_000;

export async function copyTranscript(): Promise<void> {
  const text = transcriptText(transcript.entries(), mirror.getState().outputs);
  const left = Math.max(0, text.length - MOST_COPIED);
  await call('app.copy', { text: text.slice(left) });
  notify(
    left === 0
      ? 'The transcript was copied.'
      : `Only the end of the transcript was copied: ${left.toLocaleString('en')} characters are missing. Save the transcript to get all of it.`,
  );
}

/** Saves the transcript to a file that the person chooses: as text, or as forms that can be loaded. */
export async function saveTranscript(form: 'text' | 'script'): Promise<void> {
  const entries = transcript.entries();
  const text = form === 'text' ? `${transcriptText(entries, mirror.getState().outputs)}\n` : transcriptScript(entries);
  const { path } = await call('file.choosePlace', { name: form === 'text' ? 'transcript.txt' : 'transcript.lisp' });
  if (path === null) return;
  await call('file.save', { path, text, digest: null, overwrite: true });
  notify(`The transcript was saved in ${path}.`);
}
