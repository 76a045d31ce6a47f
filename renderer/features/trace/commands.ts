/** Commands that trace functions. Their calls appear in the Trace panel, and in the REPL below the evaluation that made them. */
import { Footprints } from 'lucide-react';
import { plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { askedNameNear } from '../documentation/asked-name.ts';
import { functionAround } from '../debugger/breakpoint-marks.ts';
import { keyOfPrinted } from '../debugger/breakpoints.ts';
import { type Command, runCommand } from '../../base/keys/command-registry.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { notify } from '../../base/notices/notices.tsx';
import { showRecordings } from '../recordings/recordings-store.ts';
import { shownRepl } from '../../base/image/active-repl.ts';
import { clearTrace, noteTraced, pauseTrace, refreshTraced, setTraced, trace } from './trace-store.ts';

const NO_IMAGE = 'Nothing was traced, because no image is running.';

async function toggleTrace(inTree: boolean): Promise<void> {
  const name = askedNameNear();
  if (!name) return sayOfKeys('There is no name at the caret.');
  const answer = await call('trace.toggle', name);
  if (!answer) return void notify(NO_IMAGE);
  const { traced, function: meant, problem } = answer;
  noteTraced(traced);
  if (problem !== null) return void notify(`${name.symbol} is not traced: ${problem}`);
  if (inTree) {
    void showRecordings(false);
    showDock('trace');
  }
  tellTraced(meant ?? name.symbol, meant !== null && traced.includes(meant));
}

function tellTraced(name: string, isOn: boolean): void {
  const shown = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  notify(
    isOn
      ? `${shown} is traced. Its calls appear in the panel Trace, and below each evaluation in the REPL.`
      : `Untraced ${shown}.`,
    'info',
    isOn ? { title: 'Show', run: async () => runCommand('view.trace') } : null,
  );
}

/** Toggles the trace of the function or method whose definition is around the caret. */
async function toggleTraceOfDefinition(): Promise<void> {
  const around = functionAround();
  if (!around) return void notify('To trace a function, put the caret into its definition.');
  const { traced } = trace.getState();
  await refreshTraced();
  const key = keyOfPrinted(around.name);
  const isOn = !(trace.getState().traced ?? traced ?? []).some((each) => keyOfPrinted(each) === key);
  const problem = await setTraced(around.name, isOn);
  if (problem !== null) return void notify(`${around.shown} is not traced: ${problem}`);
  tellTraced(around.shown, isOn);
}

async function endTraces(): Promise<void> {
  const answer = await call('trace.end', { repl: shownRepl().id });
  if (!answer) return void notify(NO_IMAGE);
  noteTraced([]);
  const functions = answer.ended.filter((each) => !each.startsWith('(METHOD '));
  const methods = answer.ended.length - functions.length;
  const named = [...functions, ...(methods > 0 ? [plural(methods, 'method')] : [])];
  notify(named.length === 0 ? 'No functions are traced.' : `Untraced ${named.join(', ')}.`);
}

export const traceCommands: Command[] = [
  {
    id: 'view.trace',
    title: 'Trace: Focus',
    icon: Footprints,
    run: () => {
      void showRecordings(false);
      showRegion('Trace', () => showDock('trace'));
    },
  },
  {
    id: 'trace.toggle',
    title: 'Trace or Untrace a Function',
    keys: 'Ctrl+Alt+T',
    keysIn: ['Editor text', 'REPL', 'Documentation'],
    icon: Footprints,
    detail: () => askedNameNear()?.symbol,
    run: () => toggleTrace(false),
  },
  {
    id: 'trace.toggleInTree',
    title: 'Trace or Untrace a Function, and Show the Trace',
    keysIn: ['Editor text', 'REPL', 'Documentation'],
    icon: Footprints,
    detail: () => askedNameNear()?.symbol,
    run: () => toggleTrace(true),
  },
  {
    id: 'trace.toggleDefinition',
    title: 'Trace or Untrace the Function or Method Around the Caret',
    icon: Footprints,
    when: () => (activeBuffer() ? true : 'with an open file'),
    detail: () => functionAround()?.shown,
    run: toggleTraceOfDefinition,
  },
  {
    id: 'trace.pause',
    title: 'Pause or Resume the Trace',
    icon: Footprints,
    detail: () => (trace.getState().paused ? 'paused' : undefined),
    run: () => pauseTrace(!trace.getState().paused),
  },
  {
    id: 'trace.clear',
    title: 'Clear the Trace',
    icon: Footprints,
    when: () => (trace.getState().now.calls > 0 ? true : 'after a traced call'),
    run: clearTrace,
  },
  { id: 'trace.end', title: 'Untrace All Functions', icon: Footprints, run: endTraces },
];
