/** Runs a comma command typed at the REPL. */
import { packageOf, shownRepl } from '../../../base/image/active-repl.ts';
import { furtherImage, restartImage } from '../repls.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { enter } from '../../../base/image/entered-form.ts';
import { inspectForm, inspectName } from '../../inspector/inspector.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { runComma } from './comma-commands.ts';
import { replHistory, setDraft } from './input-store.ts';
import { transcript } from '../../../base/image/transcript-store.ts';

/** The maximum number of lines of the history that are listed. */
const MOST_LISTED = 100;

/** Runs a text that begins with a comma; returns false for any other text. */
export function runAsComma(text: string): boolean {
  const effect = runComma(text);
  if (!effect) return false;
  const repl = shownRepl();
  const inPackage = packageOf(repl);
  const image = furtherImage();
  const note = (answer: string): void => transcript.note(text.trim(), inPackage, answer);
  switch (effect.kind) {
    case 'evaluate':
      void enter(effect.code);
      break;
    case 'command':
      if (effect.id === 'image.restart' && image) void orNotice(restartImage(image));
      else runCommand(effect.id);
      break;
    case 'inspect':
      void orNotice(
        /^[^\s()"';`,#|\d]+$/.test(effect.code)
          ? inspectName(effect.code, null, repl.id)
          : inspectForm(effect.code, null, repl.id),
      );
      break;
    case 'history':
      note(listed(replHistory(), effect.text));
      break;
    case 'ask':
      setDraft(effect.draft);
      break;
    case 'note':
      note(effect.text);
  }
  return true;
}

function listed(history: readonly string[], text: string): string {
  const wanted = text.toLowerCase();
  const found = history.filter((each) => each.toLowerCase().includes(wanted));
  if (found.length === 0) return text === '' ? 'The history is empty.' : `No history entry contains ${text}.`;
  const left = found.length - MOST_LISTED;
  return [...(left > 0 ? [`… ${left} older`] : []), ...found.slice(-MOST_LISTED)].join('\n');
}
