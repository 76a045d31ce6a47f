/** Commands that edit Lisp by its forms, move by forms, and indent. */
import { ArrowDownToLine, Braces, IndentIncrease } from 'lucide-react';
import { moving } from '../editor/typing/mark.ts';
import { editableLisp, editStructure, moveByForm } from '../editor/typing/structure.ts';
import { forceDelete } from '../editor/typing/safe-delete.ts';
import { indentBuffer, indentFormAtCaret, indentSelected } from '../editor/typing/indent-commands.ts';
import type { Command } from '../base/keys/command-registry.ts';
import * as commands from '../sexp/structure/commands.ts';
import * as moves from '../sexp/structure/moves.ts';

const inLisp = (): true | string =>
  editableLisp() !== null || 'with an open, editable Lisp file that is not too large to parse';

type Edit = Exclude<keyof typeof commands, 'changeBy'>;
type Move = Exclude<keyof typeof moves, 'growingSpans'>;

/**
 * The keys are Paredit's, except for keys that type a character with AltGr. The other keys of Calva and Emacs are in
 * `editor/typing/structure-keys.ts`.
 */
const EDITS: readonly [Edit, title: string, keys: string][] = [
  ['slurpForward', 'Slurp Form Forward', 'Ctrl+Shift+)'],
  ['barfForward', 'Barf Form Forward', 'Alt+Shift+)'],
  ['slurpBackward', 'Slurp Form Backward', 'Ctrl+Shift+('],
  ['barfBackward', 'Barf Form Backward', 'Ctrl+Alt+Shift+ArrowRight'],
  ['raise', 'Raise Form', 'Alt+R'],
  ['splice', 'Splice List', 'Alt+S'],
  ['spliceKillingBackward', 'Splice, Deleting Backward', 'Alt+Shift+Backspace'],
  ['spliceKillingForward', 'Splice, Deleting Forward', 'Alt+Shift+Delete'],
  ['wrapWithParentheses', 'Wrap with Parentheses', 'Alt+Shift+('],
  ['wrapWithQuotes', 'Wrap with Quotes', 'Alt+Shift+"'],
  ['transpose', 'Transpose Forms', 'Alt+T'],
  ['dragForward', 'Drag Form Forward', 'Alt+Shift+N'],
  ['dragBackward', 'Drag Form Backward', 'Alt+Shift+P'],
  ['convolute', 'Convolute Lists', 'Alt+Shift+C'],
  ['split', 'Split List or String', 'Alt+Shift+S'],
  ['join', 'Join Lists or Strings', 'Alt+Shift+J'],
  ['killForm', 'Delete Form', 'Alt+K'],
  ['killToEndOfList', 'Delete to End of List', 'Alt+Shift+K'],
  ['killToStartOfList', 'Delete to Start of List', 'Alt+Shift+U'],
];

const MOVES: readonly [Move, title: string, keys: string][] = [
  ['forward', 'Forward by Form', 'Alt+F'],
  ['backward', 'Backward by Form', 'Alt+B'],
  ['up', 'Out of List, Backward', 'Alt+U'],
  ['upForward', 'Out of List, Forward', 'Alt+N'],
  ['down', 'Into List, Forward', 'Alt+D'],
  ['downBackward', 'Into List, Backward', 'Alt+P'],
];

export const structureCommands: Command[] = [
  {
    id: 'indent.form',
    title: 'Indent Form',
    keys: 'Alt+Q',
    keysIn: 'Editor text',
    icon: IndentIncrease,
    when: inLisp,
    run: indentFormAtCaret,
  },
  { id: 'indent.lines', title: 'Indent Line or Selection', icon: IndentIncrease, when: inLisp, run: indentSelected },
  {
    id: 'indent.buffer',
    title: 'Indent Buffer',
    keys: 'Alt+Shift+F',
    keysIn: 'Editor text',
    icon: IndentIncrease,
    when: inLisp,
    run: indentBuffer,
  },
  ...EDITS.map(([name, title, keys]): Command => ({
    id: `structure.${name}`,
    title,
    keys,
    keysIn: 'Editor text',
    icon: Braces,
    when: inLisp,
    run: () => editStructure(commands[name]),
  })),
  {
    id: 'structure.forceDeleteLeft',
    title: 'Delete Left Without Balancing',
    keys: 'Alt+Backspace',
    keysIn: 'Editor text',
    icon: Braces,
    when: inLisp,
    run: () => forceDelete('left'),
  },
  {
    id: 'structure.forceDeleteRight',
    title: 'Delete Right Without Balancing',
    keys: 'Alt+Delete',
    keysIn: 'Editor text',
    icon: Braces,
    when: inLisp,
    run: () => forceDelete('right'),
  },
  ...MOVES.map(([name, title, keys]): Command => ({
    id: `move.${name}`,
    title,
    keys,
    keysIn: 'Editor text',
    icon: ArrowDownToLine,
    when: inLisp,
    run: () => moving(() => moveByForm(moves[name])),
  })),
];
