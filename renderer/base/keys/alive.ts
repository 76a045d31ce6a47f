/** The keys of Alive, the extension for VS Code, where they differ from those of VS Code itself. */
import { type KeymapBinding, type Row, rowsIn } from './bindings.ts';

const EDITOR: readonly Row[] = [
  ['Alt+Shift+E', 'evaluate.topLevel'],
  ['Alt+Shift+Enter', 'evaluate.inRepl', 'Evaluate Form in the REPL'],
  ['Alt+Shift+L', 'evaluate.compileFile'],
  ['Alt+Shift+C', 'evaluate.clearResults'],
  ['Alt+Shift+ArrowUp', 'text.selectTopLevel'],
  ['Alt+Shift+T', 'trace.toggle', 'Trace or Untrace a Function'],
  ['Alt+Shift+U', 'trace.toggle', 'Untrace a Function'],
];

const EVERYWHERE: readonly Row[] = [
  ['Alt+Shift+R', 'repl.searchHistory'],
  ...Array.from({ length: 10 }, (_, index): Row => [`Alt+Shift+${index}`, `debugger.restart${index}`]),
];

export const ALIVE: readonly KeymapBinding[] = [...rowsIn('Editor text', EDITOR), ...rowsIn(null, EVERYWHERE)];
