/** Commands for keys that move the caret and change text as in Emacs: in the editor and in fields. */
import {
  backwardChar,
  backwardParagraph,
  backwardWord,
  blankLinesAround,
  blanksAround,
  changeWord,
  forwardChar,
  forwardParagraph,
  forwardWord,
  indentation,
  joinToAbove,
  lineEnd,
  lineStart,
  transposeChars,
} from '../base/text/emacs-text.ts';
import { runAction } from '../editor/monaco/actions.ts';
import { changeBy, changeRegion, deleteChar, newline, openLine, undo } from '../editor/typing/changes.ts';
import { copyRegion, killBy, killLine, killRegion, killWordBy, yank, yankEarlier } from '../editor/typing/kills.ts';
import { endRegion, exchangeMark, isMarkActive, popMark, setMark } from '../editor/typing/mark.ts';
import {
  moveBy,
  moveByLine,
  moveByPage,
  moveByTopLevel,
  moveToEdge,
  recenter,
  selectAll,
  selectByForm,
  selectTopLevel,
} from '../editor/typing/motions.ts';
import { endSearch, search } from '../editor/typing/search.ts';
import { textTarget } from '../editor/typing/target.ts';
import { commentShown } from '../editor/typing/line-commands.ts';
import { type Command, previousCommand } from '../base/keys/command-registry.ts';
import { pressInstead } from '../base/keys/key-listener.ts';
import { sayOfKeys } from '../base/keys/key-state.ts';
import { awaitCharacter } from '../base/keys/next-key.ts';
import { backward, forward } from '../sexp/structure/moves.ts';

function mark(place: (target: NonNullable<ReturnType<typeof textTarget>>) => boolean): void {
  const target = textTarget();
  if (target && !place(target)) sayOfKeys('The mark is not set in this text.');
}

/** Ends the innermost of the current activities: a search, the region, a list or a dialog. */
function quit(): void {
  if (endSearch('origin')) return;
  const target = textTarget();
  if (target && isMarkActive(target)) return endRegion(target);
  if (!pressInstead('Escape') && target && target.anchor !== target.caret) target.select(target.caret, target.caret);
}

const pressing = (key: string) => () => void pressInstead(key);

const COMMANDS: readonly [id: string, title: string, run: () => unknown][] = [
  ['text.forwardChar', 'Forward by Character', () => moveBy(forwardChar)],
  ['text.backwardChar', 'Backward by Character', () => moveBy(backwardChar)],
  ['text.nextLine', 'Next Line', () => moveByLine(1)],
  ['text.previousLine', 'Previous Line', () => moveByLine(-1)],
  ['text.lineStart', 'Start of Line', () => moveBy(lineStart)],
  ['text.lineEnd', 'End of Line', () => moveBy(lineEnd)],
  ['text.indentation', 'First Character of Line', () => moveBy(indentation)],
  ['text.forwardWord', 'Forward by Word', () => moveBy(forwardWord)],
  ['text.backwardWord', 'Backward by Word', () => moveBy(backwardWord)],
  ['text.forwardParagraph', 'Forward by Paragraph', () => moveBy(forwardParagraph)],
  ['text.backwardParagraph', 'Backward by Paragraph', () => moveBy(backwardParagraph)],
  ['text.start', 'Start of Text', () => moveToEdge('start')],
  ['text.end', 'End of Text', () => moveToEdge('end')],
  ['text.pageDown', 'Page Down', () => moveByPage(1)],
  ['text.pageUp', 'Page Up', () => moveByPage(-1)],
  ['text.topLevelStart', 'Start of Top-Level Form', () => moveByTopLevel(-1)],
  ['text.topLevelEnd', 'End of Top-Level Form', () => moveByTopLevel(1)],
  ['text.recenter', 'Recenter', recenter],
  ['text.goToLine', 'Go to Line…', () => runAction('editor.action.gotoLine')],
  ['text.deleteChar', 'Delete Character', deleteChar],
  ['text.newline', 'New Line, as Enter', newline],
  ['text.openLine', 'New Line After the Caret', openLine],
  ['text.killLine', 'Kill Rest of Line', killLine],
  ['text.killToStart', 'Kill to Start of Line', () => killBy(lineStart)],
  ['text.killWord', 'Kill Word', () => killWordBy(forwardWord)],
  ['text.killWordBackward', 'Kill Word Backward', () => killWordBy(backwardWord)],
  ['text.killForm', 'Kill Form', () => killBy(forward)],
  ['text.killFormBackward', 'Kill Form Backward', () => killBy(backward)],
  ['text.zap', 'Kill to a Character', zap],
  ['text.quotedInsert', 'Insert Next Key Literally', insertNextKey],
  ['text.killRegion', 'Kill Region', killRegion],
  ['text.copyRegion', 'Copy Region', copyRegion],
  ['text.yank', 'Yank', yank],
  ['text.yankEarlier', 'Yank an Earlier Kill Instead', yankEarlier],
  ['text.setMark', 'Set Mark', () => mark((target) => (setMark(target, previousCommand() === 'text.setMark'), true))],
  ['text.exchangeMark', 'Exchange Caret and Mark', () => mark(exchangeMark)],
  ['text.popMark', 'Back to the Mark', () => mark(popMark)],
  ['text.selectAll', 'Select All', selectAll],
  ['text.selectForm', 'Select Form', () => selectByForm(forward)],
  ['text.selectTopLevel', 'Select Top-Level Form', selectTopLevel],
  ['text.transposeChars', 'Transpose Characters', () => changeBy(transposeChars)],
  ['text.upcaseWord', 'Upcase Word', () => changeBy((text, at) => changeWord(text, at, 'upper'))],
  ['text.downcaseWord', 'Downcase Word', () => changeBy((text, at) => changeWord(text, at, 'lower'))],
  ['text.capitalizeWord', 'Capitalize Word', () => changeBy((text, at) => changeWord(text, at, 'capital'))],
  ['text.upcaseRegion', 'Upcase Region', () => changeRegion((text) => text.toUpperCase())],
  ['text.downcaseRegion', 'Downcase Region', () => changeRegion((text) => text.toLowerCase())],
  ['text.deleteBlanks', 'Delete Whitespace Around Caret', () => changeBy((text, at) => blanksAround(text, at, ''))],
  ['text.oneBlank', 'Collapse Whitespace to One Space', () => changeBy((text, at) => blanksAround(text, at, ' '))],
  ['text.joinLine', 'Join Line with Previous', () => changeBy(joinToAbove)],
  ['text.deleteBlankLines', 'Delete Blank Lines', () => changeBy(blankLinesAround)],
  ['text.comment', 'Comment or Uncomment', commentShown],
  ['text.undo', 'Undo', () => undo('undo')],
  ['text.redo', 'Redo', () => undo('redo')],
  ['text.searchForward', 'Search Forward', () => search(false)],
  ['text.searchBackward', 'Search Backward', () => search(true)],
  ['text.searchForwardRegexp', 'Search Forward by Regular Expression', () => search(false, true)],
  ['text.searchBackwardRegexp', 'Search Backward by Regular Expression', () => search(true, true)],
  ['text.endSearch', 'End Search at the Match', () => endSearch('match')],
  ['text.replace', 'Replace…', () => runAction('editor.action.startFindReplaceAction')],
  ['keys.quit', 'Quit', quit],
  ['keys.down', 'Down', pressing('ArrowDown')],
  ['keys.up', 'Up', pressing('ArrowUp')],
  ['keys.right', 'Right', pressing('ArrowRight')],
  ['keys.left', 'Left', pressing('ArrowLeft')],
  ['keys.pageDown', 'Page Down', pressing('PageDown')],
  ['keys.pageUp', 'Page Up', pressing('PageUp')],
  ['keys.home', 'First', pressing('Home')],
  ['keys.end', 'Last', pressing('End')],
  ['keys.enter', 'Enter', pressing('Enter')],
];

function zap(): void {
  awaitCharacter('Type the character to kill to…', (character) => {
    const target = textTarget();
    const at = target ? target.text.indexOf(character, target.caret) : -1;
    if (at < 0) sayOfKeys(`There is no ${character === '\n' ? 'line end' : character} after the caret.`);
    else killBy(() => at + character.length);
  });
}

function insertNextKey(): void {
  awaitCharacter('Type the key to insert literally…', (character) =>
    changeBy((_text, at) => ({ start: at, end: at, text: character, caret: at + character.length })),
  );
}

export const textCommands: readonly Command[] = COMMANDS.map(([id, title, run]) => ({
  id,
  title,
  keysOnly: true,
  run,
}));
