/** Commands that record the values of forms while code runs, and replay them at their forms. */
import { CircleDotDashed } from 'lucide-react';
import { showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { recordFormAtCaret, showRecordedAt, stopRecordingAll, stopRecordingDefinition } from './record-values.ts';
import { type Command } from '../../base/keys/command-registry.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { recordings, showRecordings, stepRecording } from './recordings-store.ts';

const whenRecorded = (): true | string => (recordings.getState().forms.length > 0 ? true : 'with a recorded form');
const whenOpen = (): true | string => (activeBuffer() ? true : 'with an open file');

async function replay(direction: 1 | -1): Promise<void> {
  const evaluation = await stepRecording(direction);
  if (evaluation) await showRecordedAt(evaluation, false);
  else sayOfKeys('Nothing is recorded yet. Run the code around a recorded form.');
}

export const recordCommands: Command[] = [
  {
    id: 'record.form',
    title: 'Record Values of This Form',
    keys: 'Ctrl+F9',
    keysIn: 'Editor text',
    icon: CircleDotDashed,
    when: whenOpen,
    run: recordFormAtCaret,
  },
  {
    id: 'record.endDefinition',
    title: 'Stop Recording the Forms of This Definition',
    icon: CircleDotDashed,
    when: whenRecorded,
    run: stopRecordingDefinition,
  },
  {
    id: 'record.endAll',
    title: 'Stop Recording All Forms',
    icon: CircleDotDashed,
    when: whenRecorded,
    run: stopRecordingAll,
  },
  {
    id: 'record.next',
    title: 'Next Recording',
    keys: 'Alt+F9',
    icon: CircleDotDashed,
    when: whenRecorded,
    run: () => replay(1),
  },
  {
    id: 'record.previous',
    title: 'Previous Recording',
    keys: 'Shift+Alt+F9',
    icon: CircleDotDashed,
    when: whenRecorded,
    run: () => replay(-1),
  },
  {
    id: 'view.recordings',
    title: 'Recorded Values: Focus',
    icon: CircleDotDashed,
    run: async () => {
      await showRecordings(true);
      showRegion('Trace', () => showDock('trace'));
    },
  },
];
