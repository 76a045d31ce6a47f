/** Commands on the Lisp image, its evaluations and its clients. */
import { plural } from '#contract/text/text.ts';
import {
  BellOff,
  CircleStop,
  FileTerminal,
  Flag,
  HardDriveDownload,
  HardDriveUpload,
  History,
  ListChecks,
  OctagonX,
  Play,
  Plug,
  Recycle,
  RotateCcw,
  Shield,
} from 'lucide-react';
import { call } from '../../base/bridge.ts';
import { interruptImage, stopPrinting } from '../../base/image/evaluations.ts';
import { isBusy, meantImage } from '../repl/repls.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { openOverlay } from '../../base/layout/overlays.ts';
import { mirror } from '../../base/mirror.ts';
import { resumeClients, stopAllAgents } from '../clients/pause.ts';
import { checkpointCount } from '../checkpoints/descriptions.ts';
import { countKinds } from '../definitions/definition-rows.ts';
import { onlyInImage } from '../definitions/only-in-image.ts';
import { collectGarbage } from '../memory/store.ts';
import { imageOf, shownRepl } from '../../base/image/active-repl.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const session = () => mirror.getState().session;

const shownImageIsUp = (): true | string => ((imageOf(shownRepl())?.pid ?? null) === null ? 'with an image' : true);

export const imageCommands: Command[] = [
  {
    id: 'evaluate.interrupt',
    title: 'Interrupt Evaluation',
    keys: 'Ctrl+.',
    icon: CircleStop,
    when: () => (isBusy(meantImage()) ? true : 'while something is evaluated'),
    detail: () => meantImage().running?.summary,
    run: async () => {
      if (!(await interruptImage(meantImage()))) notify('Nothing is running.');
    },
  },
  {
    id: 'evaluate.stopPrinting',
    title: 'Stop Printing',
    keys: 'Ctrl+Alt+.',
    icon: BellOff,
    when: () => (meantImage().running?.actor.kind === 'person' ? true : 'while you evaluate'),
    detail: () => 'the evaluation continues; its output is hidden and counted',
    run: async () => {
      const { running } = meantImage();
      if (!running || !(await stopPrinting(running.evaluation))) notify('Nothing is running.');
    },
  },
  {
    id: 'image.restart',
    title: 'Restart Image…',
    icon: RotateCcw,
    when: () => (session().state === 'gone' ? 'with an image' : true),
    detail: () => {
      const count = onlyInImage();
      return count === 0
        ? undefined
        : `loses ${plural(count, 'definition that is', 'definitions that are')} not in a file`;
    },
    run: async () => {
      const count = onlyInImage();
      const { total } = countKinds(mirror.getState().definitions);
      const { checkpoints } = session();
      const lost =
        checkpoints.length === 0
          ? ''
          : ` Its ${plural(checkpoints.length, 'checkpoint')} ${checkpoints.length === 1 ? 'is' : 'are'} lost, too; Save Image… keeps its present state.`;
      const answer = await ask({
        title: `Restart the image${mirror.getState().images.length > 0 ? ` “${session().name}”` : ''}?`,
        text:
          total === 0
            ? `The image ends and a new one starts.${lost} Your text does not change.`
            : `The image ends, with everything defined in it${count > 0 ? `; ${count} of its definitions are not in a file` : ''}.${lost} A new image starts, in which you can evaluate your definitions again. Your files do not change.`,
        answers: [
          { id: 'cancel', title: 'Cancel' },
          { id: 'restart', title: 'Restart', kind: 'danger' },
        ],
      });
      if (answer === 'restart') await call('session.restart', {});
    },
  },
  {
    id: 'image.protection',
    title: 'Image Protection…',
    icon: Shield,
    run: () => openOverlay({ kind: 'protection', image: shownRepl().image }),
  },
  {
    id: 'image.checkpoint',
    title: 'Make a Checkpoint…',
    icon: Flag,
    when: () => (session().state === 'idle' ? true : 'while the image is idle'),
    run: () => openOverlay({ kind: 'make-checkpoint' }),
  },
  {
    id: 'image.rewind',
    title: 'Go Back to a Checkpoint…',
    icon: History,
    when: () => (session().checkpoints.length > 0 ? true : 'when a checkpoint exists'),
    detail: () => checkpointCount(session().checkpoints.length),
    run: () => openOverlay({ kind: 'choose-checkpoint' }),
  },
  {
    id: 'image.save',
    title: 'Save Image…',
    icon: HardDriveDownload,
    when: () => (session().state === 'idle' ? true : 'while the image is idle'),
    run: () => openOverlay({ kind: 'save-image' }),
  },
  {
    id: 'image.open',
    title: 'Open Saved Image…',
    icon: HardDriveUpload,
    run: () => openOverlay({ kind: 'saved-images' }),
  },
  {
    id: 'image.saveExecutable',
    title: 'Save Image as Executable…',
    icon: FileTerminal,
    when: () => (session().state === 'idle' ? true : 'while the image is idle'),
    run: () => openOverlay({ kind: 'save-executable' }),
  },
  {
    id: 'image.start',
    title: 'Start an Image',
    icon: Play,
    when: () => (session().state === 'gone' ? true : 'without an image'),
    run: () => call('session.restart', {}),
  },
  {
    id: 'image.replay',
    title: 'Evaluate My Definitions Again',
    icon: History,
    when: () => (session().lost ? true : 'after an image has ended unexpectedly'),
    run: async () => {
      const { replayed, failed } = await call('session.replay', {});
      notify(
        `${replayed} evaluated again${failed.length > 0 ? `, ${failed.length} failed: ${failed.map((each) => each.what).join(', ')}` : ''}.`,
        failed.length > 0 ? 'error' : 'info',
      );
    },
  },
  {
    id: 'image.collect',
    title: 'Collect Garbage',
    icon: Recycle,
    when: shownImageIsUp,
    run: () => collectGarbage(false),
  },
  {
    id: 'image.collectFully',
    title: 'Collect Garbage in All Generations',
    icon: Recycle,
    when: shownImageIsUp,
    run: () => collectGarbage(true),
  },
  { id: 'client.connect', title: 'Connect an AI Client…', icon: Plug, run: () => openOverlay({ kind: 'connect' }) },
  {
    id: 'agents.stop',
    title: 'Stop All Agents',
    // The main process handles this key before any page. It is repeated here so that menus, palette and help show it.
    keys: 'Ctrl+Shift+.',
    icon: OctagonX,
    detail: () => {
      const going = mirror.getState().clients.filter(({ paused }) => paused === null).length;
      return going === 0 ? 'all are paused' : `pauses ${going === 1 ? 'one client' : `${going} clients`}`;
    },
    run: stopAllAgents,
  },
  {
    id: 'agents.resume',
    title: 'Resume All Agents',
    icon: Play,
    when: () => (pausedClients().length > 0 ? true : 'when an agent is paused'),
    detail: () => {
      const { length } = pausedClients();
      return length === 0 ? undefined : length === 1 ? 'one client' : `${length} clients`;
    },
    run: () => resumeClients(pausedClients()),
  },
  {
    id: 'review.show',
    title: 'Review: Open Next Request',
    keys: 'F7',
    icon: ListChecks,
    detail: () => {
      const { waitingApprovals } = mirror.getState();
      return waitingApprovals === 0 ? 'nothing waits' : `${waitingApprovals} waiting`;
    },
    run: () => call('review.show', { open: true, focus: true }),
  },
];

function pausedClients(): string[] {
  return mirror.getState().clients.flatMap(({ id, paused }) => (paused === null ? [] : [id]));
}
