/** Commands of the debugger. Some have a single letter that works only in the panel; see `features/debugger/letters.ts`. */
import {
  Bug,
  CircleDot,
  CirclePause,
  FastForward,
  OctagonX,
  Play,
  Redo2,
  RotateCcw,
  StepForward,
  Undo2,
} from 'lucide-react';
import type { DebuggerHead } from '#contract/image/debugger.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { editConditionAtCaret, toggleBreakpointAtCaret } from './breakpoint-marks.ts';
import { showFrameSource } from './frame-source.ts';
import { meantImage } from '../repl/repls.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import {
  abort,
  compileForDebugging,
  goOn,
  interruptIntoDebugger,
  isRestartable,
  quit,
  restartFrame,
  showDisassembly,
  step,
  type StepKind,
} from './frame-actions.ts';
import { breakOnConditions, setBreakpoint } from './breakpoints.ts';
import { letterOf } from './letters.ts';
import { chosenArgument, moveArgument, moveFrame, selectedFrame, toggleDetails } from './selection.ts';
import { whenToStep } from './names.ts';
import { changeView, recordOf, shownDebugger, viewOf, type WantedField } from './store.ts';
import { chooseRestart } from './panel/restarts.tsx';
import { inspectHandle } from '../../base/image/inspect.ts';

const inDebugger = (): true | string => (shownDebugger() ? true : 'while code waits in the debugger');
const canStep = (kind: StepKind) => (): true | string => whenToStep(shownDebugger(), kind);
const withBreakpoints = (): true | string => {
  const { functions, conditions } = mirror.getState().breakpoints;
  return functions.length + conditions.length > 0 ? true : 'with breakpoints';
};

/** Returns a function that runs an action on the visible debugger. */
function onShown(action: (head: DebuggerHead) => unknown): () => unknown {
  return () => {
    const head = shownDebugger();
    return head ? action(head) : undefined;
  };
}

/** Returns a function that runs an action on the selected frame of the visible debugger. */
function onFrame(action: (id: string, frame: number) => unknown): () => unknown {
  return onShown(async ({ id }) => {
    const frame = await selectedFrame(id);
    if (frame !== null) await action(id, frame);
  });
}

function openField(field: WantedField): () => unknown {
  return onShown(({ id }) => {
    showDock('debugger');
    // Use a new object each time, so that the field gets the focus again even if it is already open.
    changeView(id, () => ({ field: { ...field } }));
  });
}

function inPanel(id: string): () => string | undefined {
  return () => {
    const letter = letterOf(id);
    return letter === undefined ? undefined : `${letter} in the debugger`;
  };
}

const own: Command[] = [
  {
    id: 'debugger.continue',
    title: 'Continue',
    keys: 'F5',
    icon: Play,
    when: inDebugger,
    run: onShown(({ id }) => goOn(id)),
  },
  {
    id: 'debugger.abort',
    title: 'Abort',
    keys: 'Shift+F5',
    icon: OctagonX,
    when: inDebugger,
    run: onShown(({ id }) => abort(id)),
  },
  {
    id: 'debugger.quit',
    title: 'End Evaluation from All Levels',
    when: inDebugger,
    run: onShown(({ id }) => quit(id)),
  },
  {
    id: 'debugger.stepInto',
    title: 'Step Into',
    keys: 'F11',
    icon: StepForward,
    when: canStep('into'),
    run: onShown(({ id }) => step(id, 'into')),
  },
  {
    id: 'debugger.stepOver',
    title: 'Step Over',
    keys: 'F10',
    icon: Redo2,
    when: canStep('over'),
    run: onShown(({ id }) => step(id, 'over')),
  },
  {
    id: 'debugger.stepOut',
    title: 'Step Out',
    keys: 'Shift+F11',
    icon: FastForward,
    when: canStep('out'),
    run: onShown(({ id }) => step(id, 'out')),
  },
  {
    id: 'debugger.pause',
    title: 'Interrupt into Debugger',
    keys: 'Ctrl+F5',
    icon: CirclePause,
    when: () => (meantImage().running ? true : 'while something is evaluated'),
    detail: () => meantImage().running?.summary,
    run: interruptIntoDebugger,
  },
  {
    id: 'debugger.source',
    title: 'Show Source of Frame',
    when: inDebugger,
    run: onFrame(async (id, frame) => {
      const record = await recordOf(id);
      if (record) await showFrameSource(record, frame, 'focus');
    }),
  },
  {
    id: 'debugger.restartFrame',
    title: 'Restart Frame',
    icon: RotateCcw,
    when: inDebugger,
    run: onFrame(restartFrame),
  },
  {
    id: 'debugger.returnFromFrame',
    title: 'Return Value from Frame…',
    icon: Undo2,
    when: inDebugger,
    run: onFrame(async (id, frame) => {
      if (await isRestartable(id, frame)) await openField({ kind: 'return' })();
    }),
  },
  { id: 'debugger.evaluate', title: 'Evaluate in Frame…', when: inDebugger, run: openField({ kind: 'evaluate' }) },
  { id: 'debugger.inspect', title: 'Inspect in Frame…', when: inDebugger, run: openField({ kind: 'inspect' }) },
  {
    id: 'debugger.inspectCondition',
    title: 'Inspect Condition',
    when: inDebugger,
    run: onShown(async ({ id }) => {
      const record = await recordOf(id);
      if (record) inspectHandle({ handle: record.handle, title: record.message, from: record.type });
    }),
  },
  {
    id: 'debugger.recompile',
    title: 'Recompile Frame’s Function for Debugging',
    when: inDebugger,
    run: onFrame(compileForDebugging),
  },
  { id: 'debugger.disassemble', title: 'Disassemble Frame', when: inDebugger, run: onFrame(showDisassembly) },
  {
    id: 'debugger.details',
    title: 'Show or Hide Lisp’s Own Frames',
    when: inDebugger,
    run: onShown(({ id }) => toggleDetails(id)),
  },
  { id: 'debugger.frameDown', title: 'Next Frame', when: inDebugger, run: onShown(({ id }) => goToFrame(id, 1)) },
  { id: 'debugger.frameUp', title: 'Previous Frame', when: inDebugger, run: onShown(({ id }) => goToFrame(id, -1)) },
  {
    id: 'debugger.firstFrame',
    title: 'First Frame',
    when: inDebugger,
    run: onShown(({ id }) => goToFrame(id, 'first')),
  },
  {
    id: 'debugger.lastFrame',
    title: 'Last Frame',
    when: inDebugger,
    run: onShown(({ id }) => goToFrame(id, 'last')),
  },
  {
    id: 'debugger.nextArgument',
    title: 'Next Argument of Frame',
    when: inDebugger,
    run: onShown(({ id }) => moveArgument(id, 1)),
  },
  {
    id: 'debugger.previousArgument',
    title: 'Previous Argument of Frame',
    when: inDebugger,
    run: onShown(({ id }) => moveArgument(id, -1)),
  },
  {
    id: 'debugger.inspectArgument',
    title: 'Inspect Argument of Frame',
    detail: () => 'Enter on the argument, in the debugger',
    when: () => {
      const head = shownDebugger();
      return head && viewOf(head.id).argument !== null ? true : 'with an argument chosen by the arrow keys';
    },
    run: onShown(async ({ id }) => {
      const [argument, frame] = [await chosenArgument(id), await selectedFrame(id)];
      if (argument) inspectHandle({ handle: argument.handle, title: argument.text, from: `frame ${frame}` });
    }),
  },
  {
    id: 'debugger.toggleBreakpoint',
    title: 'Set or Clear Breakpoint',
    keys: 'F9',
    keysIn: 'Editor text',
    icon: CircleDot,
    when: () => (activeBuffer() ? true : 'with an open file'),
    run: toggleBreakpointAtCaret,
  },
  {
    id: 'debugger.editCondition',
    title: 'Edit the Condition of a Breakpoint…',
    keys: 'Shift+F9',
    keysIn: 'Editor text',
    when: () => (activeBuffer() ? true : 'with an open file'),
    run: editConditionAtCaret,
  },
  ...Array.from({ length: 10 }, (_, index): Command => ({
    id: `debugger.restart${index}`,
    title: `Take Restart ${index}`,
    keysOnly: true,
    when: inDebugger,
    run: onShown(async ({ id }) => {
      const record = await recordOf(id);
      if (record) chooseRestart(record, index);
    }),
  })),
  {
    id: 'debugger.clearBreakpoints',
    title: 'Clear All Breakpoints',
    when: withBreakpoints,
    run: async () => {
      const { functions, conditions } = mirror.getState().breakpoints;
      for (const { wanted } of functions) await setBreakpoint(wanted, false);
      if (conditions.length > 0) await breakOnConditions([]);
    },
  },
];

async function goToFrame(id: string, to: 1 | -1 | 'first' | 'last'): Promise<void> {
  const frame = await moveFrame(id, to);
  const { record } = viewOf(id);
  if (frame !== null && record && 'value' in record) await showFrameSource(record.value, frame, 'select');
}

export const debuggerCommands: Command[] = [
  {
    id: 'view.debugger',
    title: 'Debugger: Focus',
    keys: 'Ctrl+Shift+G',
    icon: Bug,
    run: async () => {
      showRegion('Debugger', () => showDock('debugger'));
      const head = shownDebugger();
      const record = head && (await recordOf(head.id));
      const frame = record && (await selectedFrame(record.id));
      if (record && frame !== null) await showFrameSource(record, frame, 'follow');
    },
  },
  ...own.map((command): Command => ({ detail: inPanel(command.id), ...command })),
];
