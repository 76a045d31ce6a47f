/** Alt+Up and Alt+Down in Lisp text: move lines and indent them for their new form, as one undoable step. */
import { indentingEdits } from './indentation.ts';
import { swappedLines } from '../../sexp/structure/swap-lines.ts';
import { editsOfModel, guardedLines, isRefused } from './guarded-lines.ts';
import { LISP } from '../monaco/language.ts';
import { type Block, blocksOf } from './line-blocks.ts';
import { monaco } from '../monaco/monaco.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;
type Edit = monaco.editor.IIdentifiedSingleEditOperation;

const IN_LISP = `editorTextFocus && !editorReadonly && editorLangId == ${LISP}`;

export function installLineMoves(editor: Editor): void {
  const add = (id: string, label: string, key: number, by: -1 | 1): void => {
    editor.addAction({
      id,
      label,
      keybindings: [monaco.KeyMod.Alt | key],
      precondition: IN_LISP,
      run: () => moveLines(editor, by),
    });
  };
  add('lisp.moveLinesUp', 'Move Lines Up', monaco.KeyCode.UpArrow, -1);
  add('lisp.moveLinesDown', 'Move Lines Down', monaco.KeyCode.DownArrow, 1);
}

function moveLines(editor: Editor, by: -1 | 1): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const blocks = blocksOf(selections);
  if (by === -1 ? blocks[0]!.first === 1 : blocks.at(-1)!.last === model.getLineCount()) return;
  const [block, ...others] = blocks;
  // Several blocks are moved without guarding.
  const guarded = others.length === 0 ? swapOf(editor, block!, by) : 'plain';
  if (guarded === 'refused') return;
  editor.pushUndoStop();
  editor.executeEdits(
    'move-lines',
    guarded === 'plain' ? blocks.map((each) => plainSwap(model, each, by)) : guarded,
    selections.map(
      (each) =>
        new monaco.Selection(
          each.selectionStartLineNumber + by,
          each.selectionStartColumn,
          each.positionLineNumber + by,
          each.positionColumn,
        ),
    ),
  );
  for (const { first, last } of blocks)
    editor.executeEdits('move-lines', indentingEdits(model, Math.min(first, first + by), Math.max(last, last + by)));
  editor.pushUndoStop();
  editor.revealPosition(editor.getPosition()!);
}

/**
 * Returns the edits that move a block of lines without the closers of surrounding forms. Returns `refused` if the move is not allowed, and
 * `plain` if the lines can be moved unchanged.
 */
function swapOf(editor: Editor, { first, last }: Block, by: -1 | 1): Edit[] | 'plain' | 'refused' {
  const model = editor.getModel()!;
  const [upper, lower] =
    by === -1
      ? [
          { first: first - 1, last: first - 1 },
          { first, last },
        ]
      : [
          { first, last },
          { first: last + 1, last: last + 1 },
        ];
  const guarded = guardedLines(model, { first: upper.first, last: lower.last });
  if (!guarded) return 'plain';
  const { around, lines } = guarded;
  const between = around.offsetOf({ lineNumber: lower.first, column: 1 });
  const effect = swappedLines(
    around.text,
    { start: lines.start, end: between - 1 },
    { start: between, end: lines.end },
    by === -1 ? 'lower' : 'upper',
  );
  if (isRefused(editor, effect)) return 'refused';
  return typeof effect === 'string' ? 'plain' : editsOfModel(guarded, effect);
}

function plainSwap(model: monaco.editor.ITextModel, { first, last }: Block, by: -1 | 1): Edit {
  const [from, to] = by === -1 ? [first - 1, last] : [first, last + 1];
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) lines.push(model.getLineContent(line));
  const moved = by === -1 ? [...lines.slice(1), lines[0]!] : [lines.at(-1)!, ...lines.slice(0, -1)];
  return { range: new monaco.Range(from, 1, to, model.getLineMaxColumn(to)), text: moved.join('\n') };
}
