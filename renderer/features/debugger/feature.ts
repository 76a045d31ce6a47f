/** The debugger: its panel, breakpoints, and the mark of the selected frame in the text. */
import { Bug } from 'lucide-react';
import { on } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { announceDebuggers, showDebugger } from './announce.ts';
import { installBreakpointMarks } from './breakpoint-marks.ts';
import { debuggerCommands } from './commands.ts';
import { DebuggerCount } from './count.tsx';
import { followFrameMarks } from './frame-source.ts';
import { LETTERS } from './letters.ts';
import { DebuggerPanel } from './panel/debugger.tsx';
import { followDebuggers } from './store.ts';
import { installSuspendedLines } from './suspended-lines.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'debugger',
      title: 'Debugger',
      place: 'dock',
      icon: Bug,
      Panel: DebuggerPanel,
      Count: DebuggerCount,
      staysAlive: true,
    },
  ],
  commands: debuggerCommands,
  letters: { group: 'In the debugger, while it has the focus', letters: LETTERS },
  editor: { parts: [installSuspendedLines, installBreakpointMarks] },
  start: () => {
    followDebuggers();
    followFrameMarks();
    announceDebuggers();
    on('debugger-wanted', ({ debugger: id }) => {
      const head = mirror.getState().debuggers.debuggers.find((each) => each.id === id);
      if (head) showDebugger(head);
    });
  },
});
