/** Commands that trace functions. Their calls stand in the REPL, below the evaluation that made them. */
import { Footprints } from 'lucide-react';
import { call } from '../base/bridge.ts';
import { askedNameNear } from '../editor/asked-name.ts';
import type { Command } from '../features/command-registry.ts';
import { sayOfKeys } from '../features/key-state.ts';
import { notify } from '../features/notices.tsx';
import { shownRepl } from '../features/repl/active-repl.ts';

const NO_IMAGE = 'No image is running in which a function could be traced.';

async function toggleTrace(): Promise<void> {
  const name = askedNameNear();
  if (!name) return sayOfKeys('There is no name at the caret that could be traced.');
  const answer = await call('trace.toggle', name);
  if (!answer) return void notify(NO_IMAGE);
  const { traced, function: meant, problem } = answer;
  if (problem !== null) return void notify(`${name.symbol} is not traced: ${problem}`);
  const shown = meant ?? name.symbol;
  notify(
    meant !== null && traced.includes(meant)
      ? `${shown} is traced. Its calls stand below each evaluation in the REPL.`
      : `${shown} is traced no more.`,
  );
}

async function endTraces(): Promise<void> {
  const answer = await call('trace.end', { repl: shownRepl().id });
  if (!answer) return void notify(NO_IMAGE);
  const functions = answer.ended.filter((each) => !each.startsWith('(METHOD '));
  notify(functions.length === 0 ? 'No function was traced.' : `Traced no more: ${functions.join(', ')}.`);
}

export const traceCommands: Command[] = [
  {
    id: 'trace.toggle',
    title: 'Trace or Untrace a Function',
    keys: 'Ctrl+Alt+T',
    keysIn: ['Editor', 'REPL', 'Documentation'],
    icon: Footprints,
    detail: () => askedNameNear()?.symbol,
    run: toggleTrace,
  },
  { id: 'trace.end', title: 'Untrace All Functions', icon: Footprints, run: endTraces },
];
