/** Commands on the REPL's transcript and its history. */
import { ClipboardCopy, FileText, History, ScrollText, Trash2 } from 'lucide-react';
import { searchBack } from '../features/repl/input-store.ts';
import { copyTranscript, saveTranscript } from '../features/repl/take-transcript.ts';
import { transcript } from '../features/repl/transcript-store.ts';
import { showDock } from '../base/layout-store.ts';
import { showRegion } from '../base/regions.ts';
import type { Command } from '../features/command-registry.ts';

const withEntries = (): true | string => (transcript.entries().length > 0 ? true : 'with a transcript');

export const replCommands: Command[] = [
  {
    id: 'repl.clear',
    title: 'Clear REPL',
    keys: 'Ctrl+L',
    keysIn: 'REPL',
    icon: Trash2,
    run: () => transcript.clear(),
  },
  {
    id: 'repl.searchHistory',
    title: 'Search the History of the REPL',
    keys: 'Ctrl+R',
    keysIn: 'REPL',
    icon: History,
    run: () => {
      showRegion('REPL', () => {
        showDock('repl');
        searchBack();
      });
    },
  },
  {
    id: 'repl.copyTranscript',
    title: 'Copy the Transcript',
    icon: ClipboardCopy,
    when: withEntries,
    run: copyTranscript,
  },
  {
    id: 'repl.saveTranscript',
    title: 'Save the Transcript as Text…',
    icon: FileText,
    when: withEntries,
    run: () => saveTranscript('text'),
  },
  {
    id: 'repl.saveScript',
    title: 'Save the Transcript as a Lisp File…',
    icon: ScrollText,
    when: withEntries,
    run: () => saveTranscript('script'),
  },
];
