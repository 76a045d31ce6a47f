/** Alt+Up and Alt+Down in Lisp text: the lines move, and are indented by the form that they come into, in one step of undo. */
import { indentingEdits } from './indentation.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

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

interface Block {
  first: number;
  last: number;
}

function moveLines(editor: Editor, by: -1 | 1): void {
  const model = editor.getModel();
  const selections = editor.getSelections();
  if (!model || !selections) return;
  const blocks = blocksOf(selections);
  if (by === -1 ? blocks[0]!.first === 1 : blocks.at(-1)!.last === model.getLineCount()) return;
  editor.pushUndoStop();
  editor.executeEdits(
    'move-lines',
    blocks.map(({ first, last }) => {
      const [from, to] = by === -1 ? [first - 1, last] : [first, last + 1];
      const lines: string[] = [];
      for (let line = from; line <= to; line += 1) lines.push(model.getLineContent(line));
      const moved = by === -1 ? [...lines.slice(1), lines[0]!] : [lines.at(-1)!, ...lines.slice(0, -1)];
      return { range: new monaco.Range(from, 1, to, model.getLineMaxColumn(to)), text: moved.join('\n') };
    }),
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

/** The lines of all selections, with those that touch each other put together. A selection that ends before a line does not mean it. */
function blocksOf(selections: readonly monaco.Selection[]): Block[] {
  const blocks: Block[] = [];
  for (const { startLineNumber, endLineNumber, endColumn } of selections.toSorted(
    (one, other) => one.startLineNumber - other.startLineNumber,
  )) {
    const last = endColumn === 1 && endLineNumber > startLineNumber ? endLineNumber - 1 : endLineNumber;
    const before = blocks.at(-1);
    if (before && startLineNumber <= before.last + 1) before.last = Math.max(before.last, last);
    else blocks.push({ first: startLineNumber, last });
  }
  return blocks;
}
