/**
 * The keymap of SLIME and SLY, with chords. A row may name a command that does not exist yet. Until the command exists, its keys only show
 * a message with the title at the end of the row.
 */
import { fromEmacs } from '../../ui/menus/key-strokes.ts';
import { type KeymapBinding, type Row, rowsIn } from './bindings.ts';
import { SLIME_TEXT } from './slime-text.ts';

/** Duplicates rows for SLIME's prefixes whose last key works with and without Ctrl. */
function bothWays(prefix: string, rows: readonly Row[]): Row[] {
  return rows.flatMap(([key, ...rest]): Row[] => [
    [`${prefix} ${key}`, ...rest],
    ...(/^[a-z]$/.test(key) ? [[`${prefix} C-${key}`, ...rest] as const] : []),
  ]);
}

const EVERYWHERE: readonly Row[] = [
  ['C-g', 'keys.quit'],
  ['M-x', 'palette.open'],
  ['M-:', 'palette.evaluate'],
  ['C-x C-f', 'file.open'],
  ['C-x C-s', 'file.save'],
  ['C-x s', 'file.saveAll', 'Save All Files'],
  ['C-x C-w', 'file.saveAs'],
  ['C-x k', 'file.close'],
  ['C-x b', 'palette.openFiles'],
  ['C-x C-b', 'palette.openFiles'],
  ['C-x p f', 'palette.files'],
  ['C-x p g', 'view.search'],
  ['C-x d', 'view.files'],
  ['C-x <right>', 'go.nextTab'],
  ['C-x <left>', 'go.previousTab'],
  ['C-x o', 'windows.next'],
  ['C-x 0', 'split.close'],
  ['C-x 1', 'split.only'],
  ['C-x 2', 'split.down'],
  ['C-x 3', 'split.right'],
  ['C-x C-c', 'window.close'],
  ['C-x `', 'go.nextProblem'],
  ['M-g n', 'go.nextProblem'],
  ['M-g p', 'go.previousProblem'],
  ['M-g i', 'palette.outline'],
  ['C-h b', 'help.keys'],
  ['C-h k', 'help.keys'],
  ['C-h m', 'help.keys'],
  ['C-h f', 'go.documentation'],
  ['C-h v', 'go.documentation'],
  ['M-.', ['go.definition', 'palette.definitions']],
  ['M-,', 'go.back'],
  ['M-?', 'go.references'],
  ['M-_', 'go.references'],
  ['C-M-.', 'palette.definitions'],
  ['C-c C-z', 'view.repl'],
  ['C-c C-k', 'evaluate.compileFile'],
  ['C-c M-k', 'evaluate.compileFileOnly', 'Compile File Without Loading It'],
  ['C-c C-l', 'evaluate.buffer'],
  ['C-c C-b', 'debugger.pause'],
  ['C-c :', 'palette.evaluate'],
  ['C-c C-e', 'palette.evaluate'],
  ['C-c I', 'inspect.expression', 'Inspect the Value of an Expression'],
  ['C-c M-c', 'go.clearProblems'],
  ['C-c M-o', 'repl.clear'],
  ['C-c C-o', 'repl.clearLastOutput'],
  ['C-c M-p', 'repl.setPackage', 'Set the REPL’s Package'],
  ['C-c ~', 'repl.syncPackage', 'Set the REPL’s Package and Folder from the File'],
  ['C-c RET', 'macro.expandOne', 'Expand a Macro Once'],
  ['C-c C-m', 'macro.expandOne', 'Expand a Macro Once'],
  ['C-c M-m', 'macro.expandAll', 'Expand All Macros'],
  ['C-c M-e', 'macro.expandOne'],
  ['C-c M-d', 'disassemble.name', 'Disassemble a Function'],
  ['C-c C-t', 'trace.toggle', 'Trace or Untrace a Function'],
  ['C-c M-t', 'trace.toggleInTree', 'Trace or Untrace a Function in the Trace Tree'],
  ['C-c T', 'view.trace', 'Trace Tree'],
  ['C-c C-u', 'definitions.undefine', 'Undefine a Function'],
  ['C-c E', 'inspect.setValue', 'Edit a Value'],
  ['C-c <', 'xref.callers'],
  ['C-c >', 'xref.callees', 'List What a Function Calls'],
  ...bothWays('C-c C-w', [
    ['c', 'go.references'],
    ['r', 'go.references'],
    ['b', 'go.references'],
    ['s', 'go.references'],
    ['m', 'go.references'],
    ['a', 'go.references'],
    ['w', 'xref.callees', 'List What a Function Calls'],
  ]),
  ...bothWays('C-c C-d', [
    ['d', 'go.documentation'],
    ['f', 'go.documentation'],
    ['h', 'documentation.hyperspec'],
    ['~', 'documentation.format'],
    ['g', 'documentation.glossary'],
    ['#', 'documentation.readerMacro'],
    ['a', 'apropos.show', 'Apropos'],
    ['z', 'apropos.all', 'Apropos of All Symbols'],
    ['p', 'apropos.package', 'Apropos of a Package'],
  ]),
  ...bothWays('C-c C-x', [
    ['t', 'view.threads', 'Threads'],
    ['c', 'view.clients'],
    ['n', 'repl.next', 'Next REPL'],
  ]),
];

const EDITOR: readonly Row[] = [
  ['C-x C-e', 'evaluate.form'],
  ['C-M-x', 'evaluate.topLevel'],
  ['C-c C-c', 'evaluate.compileTopLevel'],
  ['C-u C-c C-c', 'evaluate.compileForDebugging'],
  ['C-c C-r', 'evaluate.form'],
  ['C-c C-p', 'evaluate.form'],
  ['C-c C-j', 'evaluate.inRepl', 'Evaluate Form in the REPL'],
  ['C-c C-y', 'repl.callFunction', 'Insert a Call to This Function into the REPL'],
  ['C-c C-s C-s', 'record.form'],
  ['C-c C-s C-d', 'record.endDefinition'],
  ['C-c C-s C-k', 'record.endAll'],
  ['C-c C-s C-r', 'record.next'],
  ['C-c C-s C-n', 'record.next'],
  ['C-c C-s C-p', 'record.previous'],
  ['C-c C-s S', 'view.recordings'],
  ['C-c TAB', 'complete.show'],
  ['C-c C-i', 'complete.show'],
  ['C-c v', 'test.atCaret'],
  ['M-n', 'go.nextProblem'],
  ['M-p', 'go.previousProblem'],
];

const REPL_INPUT: readonly Row[] = [
  ['C-c C-c', 'debugger.pause'],
  ['M-p', 'repl.previousInput'],
  ['M-n', 'repl.nextInput'],
  ['C-c C-u', 'text.killToStart'],
  ['C-c C-s', 'complete.parameters'],
  ['C-c TAB', 'complete.show'],
  ['C-c C-i', 'complete.show'],
  ['C-M-i', 'complete.show'],
];

/** Keys of the REPL's input that also work while its history is searched. */
const REPL: readonly Row[] = [
  ['C-r', 'repl.searchHistory'],
  ['M-r', 'repl.searchHistory'],
  ['C-s', 'repl.searchNewer'],
];

const DEBUGGER: readonly Row[] = [
  ['C-c C-c', 'debugger.recompile'],
  ['M-n', 'debugger.frameDown'],
  ['M-p', 'debugger.frameUp'],
];

const INSPECTOR: readonly Row[] = [
  ['M-RET', 'inspector.copyToRepl'],
  ['M-.', 'inspector.source', 'Show the Source of an Object'],
];

export const SLIME: readonly KeymapBinding[] = [
  ...rowsIn('Editor text', EDITOR, fromEmacs),
  ...rowsIn('REPL input', REPL_INPUT, fromEmacs),
  ...rowsIn('REPL', REPL, fromEmacs),
  ...rowsIn('Debugger', DEBUGGER, fromEmacs),
  ...rowsIn('Inspector', INSPECTOR, fromEmacs),
  ...SLIME_TEXT,
  ...rowsIn(null, EVERYWHERE, fromEmacs),
];
