/** The menu of the transcript: actions on all of it, and on the entry under the pointer. */
import { call } from '../../../base/bridge.ts';
import { mirror } from '../../../base/mirror.ts';
import { showRegion } from '../../../base/layout/regions.ts';
import { showDock } from '../../../base/layout/layout-store.ts';
import { menuEntry } from '../../../base/keys/command-registry.ts';
import { evaluate } from '../../../base/image/evaluations.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { setDraft } from '../input/input-store.ts';
import type { Entry } from '../../../base/image/transcript.ts';
import { entryText } from './transcript-text.ts';
import type { MenuGroup } from '../../../ui/menus/menu.tsx';

const MOST_COPIED = 1_000_000;

export function transcriptMenu(entry: Entry | null): MenuGroup[] {
  const selected = window.getSelection()?.toString() ?? '';
  const copy = (text: string): void => void orNotice(call('app.copy', { text: text.slice(0, MOST_COPIED) }));
  const whole = {
    id: 'all',
    entries: ['repl.copyTranscript', 'repl.saveTranscript', 'repl.saveScript', 'repl.clear'].map(menuEntry),
  };
  const selection = {
    id: 'selection',
    entries: [{ id: 'copy', title: 'Copy', disabled: selected === '', run: () => copy(selected) }],
  };
  if (!entry) return [selection, whole];
  const { code, package: inPackage, note } = entry;
  const own = {
    id: 'entry',
    entries: [
      { id: 'copy-code', title: 'Copy Code', run: () => copy(code) },
      {
        id: 'copy-entry',
        title: 'Copy Entry',
        run: () => copy(entryText(entry, mirror.getState().outputs.get(entry.evaluation))),
      },
      {
        id: 'edit',
        title: 'Edit Again',
        run: () => {
          setDraft(code.trim());
          showRegion('REPL', () => showDock('repl'));
        },
      },
      {
        id: 'again',
        title: 'Evaluate Again',
        disabled: note !== undefined,
        run: () => void evaluate({ code, origin: 'repl', package: inPackage, source: null }),
      },
    ],
  };
  return [selection, own, whole];
}
