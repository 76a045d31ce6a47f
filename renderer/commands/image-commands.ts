/** The Lisp image and who works on it. */
import { CircleStop, Eraser, Flag, History, ListChecks, OctagonX, Play, Plug, RotateCcw, Trash2 } from 'lucide-react';
import { call } from '../bridge.ts';
import { interrupt } from '../evaluations.ts';
import { ask } from '../layout/ask.tsx';
import { notify } from '../layout/notices.tsx';
import { openOverlay } from '../layout/overlays.ts';
import { mirror } from '../mirror.ts';
import { letGoOn, stopAllAgents } from '../panels/clients/steer.ts';
import { checkpointCount } from '../panels/checkpoints/model.ts';
import { countKinds, isInFile } from '../panels/definitions/model.ts';
import { transcript } from '../panels/repl/transcript-store.ts';
import type { Command } from './registry.ts';

const session = () => mirror.getState().session;

/** Definitions that only the image has: made by somebody, in no file. */
function onlyInImage(): number {
  let count = 0;
  for (const { definitions } of mirror.getState().definitions.values()) {
    for (const each of definitions) if (each.actor !== null && !isInFile(each)) count += 1;
  }
  return count;
}

export const imageCommands: Command[] = [
  {
    id: 'evaluate.interrupt',
    title: 'Interrupt Evaluation',
    keys: 'Ctrl+.',
    icon: CircleStop,
    when: () => (session().running || session().parked.length > 0 ? true : 'while something is evaluated'),
    detail: () => session().running?.summary,
    run: async () => {
      if (!(await interrupt(null))) notify('Nothing was running any more.');
    },
  },
  {
    id: 'image.restart',
    title: 'Restart Image…',
    icon: RotateCcw,
    when: () => (session().state === 'gone' ? 'with an image' : true),
    detail: () => {
      const count = onlyInImage();
      return count === 0 ? undefined : `loses ${count} ${count === 1 ? 'definition' : 'definitions'} that no file has`;
    },
    run: async () => {
      const count = onlyInImage();
      const { total } = countKinds(mirror.getState().definitions);
      const answer = await ask({
        title: 'Restart the image?',
        text:
          total === 0
            ? 'The image ends and a fresh one starts. Your text is untouched.'
            : `The image ends with all that is defined in it${count > 0 ? `; ${count} of its definitions are in no file` : ''}. A fresh one starts, and you can have your definitions evaluated again. Your text is untouched.`,
        answers: [
          { id: 'cancel', title: 'Cancel' },
          { id: 'restart', title: 'Restart', kind: 'danger' },
        ],
      });
      if (answer === 'restart') await call('session.restart', {});
    },
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
    when: () => (session().checkpoints.length > 0 ? true : 'once there is a checkpoint'),
    detail: () => checkpointCount(session().checkpoints.length),
    run: () => openOverlay({ kind: 'choose-checkpoint' }),
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
    when: () => (session().lost ? true : 'after an image was lost'),
    run: async () => {
      const { replayed, failed } = await call('session.replay', {});
      notify(
        `${replayed} evaluated again${failed.length > 0 ? `, ${failed.length} failed: ${failed.map((each) => each.what).join(', ')}` : ''}.`,
        failed.length > 0 ? 'error' : 'info',
      );
    },
  },
  {
    id: 'repl.resetReader',
    title: 'Reset Reader and Printer',
    icon: Eraser,
    detail: () => 'readtable, base and print variables as at first',
    when: () => (session().pid === null ? 'with an image' : true),
    run: async () => {
      await call('session.resetReader', {});
      notify('Reader and printer are as at first. Package and history stay.');
    },
  },
  {
    id: 'repl.clear',
    title: 'Clear REPL',
    keys: 'Ctrl+L',
    keysIn: 'REPL',
    icon: Trash2,
    run: () => transcript.clear(),
  },
  { id: 'client.connect', title: 'Connect an AI Client…', icon: Plug, run: () => openOverlay({ kind: 'connect' }) },
  {
    id: 'agents.stop',
    title: 'Stop All Agents',
    // Main hears it before any page does; it stands here so that menus, palette and help can show it.
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
    title: 'Let All Agents Go On',
    icon: Play,
    when: () => (pausedClients().length > 0 ? true : 'when one is paused'),
    detail: () => {
      const { length } = pausedClients();
      return length === 0 ? undefined : length === 1 ? 'one client' : `${length} clients`;
    },
    run: () => letGoOn(pausedClients()),
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
