/** Commands on REPLs and their images, on the transcript and the history. */
import {
  ArrowLeft,
  ArrowRight,
  ClipboardCopy,
  Cpu,
  Eraser,
  FileText,
  History,
  ListCollapse,
  OctagonX,
  Network,
  Pencil,
  RotateCcw,
  ScrollText,
  SquareTerminal,
  Trash2,
  X,
} from 'lucide-react';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { notify } from '../../base/notices/notices.tsx';
import { imageOf, shownRepl } from '../../base/image/active-repl.ts';
import { closeRepl, endImage, furtherImage, openImage, openRepl, restartImage, showNeighbourRepl } from './repls.ts';
import { isSearching, recallHistory, searchBack, searchForward } from './input/input-store.ts';
import { copyTranscript, saveTranscript } from './transcript/take-transcript.ts';
import { lastWithOutput } from '../../base/image/transcript.ts';
import { transcript } from '../../base/image/transcript-store.ts';
import { layout, showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const withEntries = (): true | string => (transcript.entries().length > 0 ? true : 'with a transcript');

const SHOWN = {
  everyone: 'Show Everyone’s Evaluations in the REPL',
  mine: 'Show Only My Evaluations in the REPL',
  agents: 'Show Only Agents’ Evaluations in the REPL',
};

const several = (): true | string => (mirror.getState().repls.length > 1 ? true : 'with several REPLs');
const notFirst = (): true | string => (shownRepl().id === FIRST_REPL ? 'in a REPL other than the first' : true);
const inFurther = (): true | string => (furtherImage() ? true : 'in a REPL of an additional image');
const inOwn = (): true | string => {
  const image = furtherImage();
  const owner = mirror.getState().images.find(({ id }) => id === image?.id)?.owner;
  return owner === 'person' ? true : 'in a REPL of an additional image of yours';
};

export const replCommands: Command[] = [
  {
    id: 'repl.new',
    title: 'New REPL',
    keys: 'Ctrl+Shift+N',
    icon: SquareTerminal,
    detail: () => {
      const image = furtherImage();
      return image ? `in ${image.name}` : undefined;
    },
    run: () => openRepl(),
  },
  {
    id: 'image.new',
    title: 'New Image',
    icon: Cpu,
    detail: () => 'with its own REPL',
    run: () => openImage(),
  },
  {
    id: 'image.targets',
    title: 'Targets…',
    icon: Network,
    detail: () => 'images on another machine, in a container or a pod',
    run: () => openOverlay({ kind: 'targets' }),
  },
  {
    id: 'repl.next',
    title: 'Next REPL',
    keys: 'Ctrl+PageDown',
    keysIn: 'REPL',
    icon: ArrowRight,
    when: several,
    run: () => showNeighbourRepl(1),
  },
  {
    id: 'repl.previous',
    title: 'Previous REPL',
    keys: 'Ctrl+PageUp',
    keysIn: 'REPL',
    icon: ArrowLeft,
    when: several,
    run: () => showNeighbourRepl(-1),
  },
  {
    id: 'repl.rename',
    title: 'Rename REPL…',
    keys: 'F2',
    keysIn: 'REPL',
    icon: Pencil,
    detail: () => shownRepl().name,
    run: () => {
      const { id, name } = shownRepl();
      openOverlay({ kind: 'rename', what: 'repl', id, name });
    },
  },
  {
    id: 'repl.close',
    title: 'Close REPL',
    keys: 'Ctrl+Shift+W',
    keysIn: 'REPL',
    icon: X,
    when: notFirst,
    detail: () => shownRepl().name,
    run: () => closeRepl(shownRepl().id),
  },
  {
    id: 'image.rename',
    title: 'Rename the REPL’s Image…',
    icon: Pencil,
    when: inOwn,
    detail: () => furtherImage()?.name,
    run: () => {
      const { id, name } = furtherImage()!;
      openOverlay({ kind: 'rename', what: 'image', id, name });
    },
  },
  {
    id: 'image.restartFurther',
    title: 'Restart the REPL’s Image…',
    icon: RotateCcw,
    when: inFurther,
    detail: () => furtherImage()?.name,
    run: () => restartImage(furtherImage()!),
  },
  {
    id: 'image.end',
    title: 'End the REPL’s Image…',
    icon: OctagonX,
    when: inOwn,
    detail: () => furtherImage()?.name,
    run: () => endImage(furtherImage()!),
  },
  {
    id: 'repl.resetReader',
    title: 'Reset Reader and Printer',
    icon: Eraser,
    detail: () => 'the readtable, the number base and the print variables',
    when: () => ((imageOf(shownRepl())?.pid ?? null) === null ? 'with an image' : true),
    run: async () => {
      await call('repl.resetReader', { repl: shownRepl().id });
      notify('The reader and printer were reset. Package and history are unchanged.');
    },
  },
  ...(['everyone', 'mine', 'agents'] as const).map((whose): Command => ({
    id: `repl.show.${whose}`,
    title: SHOWN[whose],
    detail: () => (layout.getState().replShows === whose ? 'shown now' : undefined),
    run: () => layout.setState({ replShows: whose }),
  })),
  {
    id: 'repl.foldAgents',
    title: 'Fold or Unfold Agents’ Evaluations in the REPL',
    icon: ListCollapse,
    detail: () => (layout.getState().replFolds ? 'folded now' : undefined),
    run: () => layout.setState(({ replFolds }) => ({ replFolds: !replFolds })),
  },
  {
    id: 'repl.clear',
    title: 'Clear REPL',
    keys: 'Ctrl+L',
    keysIn: 'REPL',
    icon: Trash2,
    run: () => transcript.clear(),
  },
  {
    id: 'repl.clearLastOutput',
    title: 'Clear the Last Output',
    keysIn: 'REPL',
    icon: Eraser,
    when: () => lastWithOutput(transcript.entries()) !== undefined || 'after an evaluation has ended',
    run: () => transcript.clearLastOutput(),
  },
  {
    id: 'repl.searchHistory',
    title: 'Search REPL History',
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
    id: 'repl.searchNewer',
    title: 'Newer Match in REPL History',
    keysOnly: true,
    when: () => isSearching() || 'while the history is searched',
    run: searchForward,
  },
  {
    id: 'repl.previousInput',
    title: 'Previous REPL Input',
    keysOnly: true,
    run: () => recallHistory(-1),
  },
  {
    id: 'repl.nextInput',
    title: 'Next REPL Input',
    keysOnly: true,
    run: () => recallHistory(1),
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
