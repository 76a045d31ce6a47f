/** Commands that go from one problem to the next and show its message. */
import { nextProblem } from './problem-order.ts';
import { problems } from './problems.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { rememberPlace } from '../../editor/groups/navigation.ts';
import { showHover } from '../../editor/monaco/passing-hints.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';

/** Moves the caret to the next or previous problem, see {@link nextProblem}, and shows its message. */
export async function goToProblem(direction: 1 | -1): Promise<void> {
  const buffer = activeBuffer();
  const position = activeEditor()?.getPosition();
  const here = buffer &&
    position && { file: buffer.path ?? buffer.title, line: position.lineNumber, column: position.column };
  const problem = nextProblem(problems.getState().listed, here ?? null, direction);
  if (problem?.file == null) return;
  rememberPlace();
  await revealSource({ file: problem.file, line: problem.line ?? 1, offset: null }, problem.column ?? 1);
  const editor = activeEditor();
  if (editor) showHover(editor);
}
