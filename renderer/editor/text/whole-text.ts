/** Read-only texts in editor tabs: whole values, and the output of evaluations, one part at a time. */
import type { monaco } from '../monaco/monaco.ts';
import { call } from '../../base/bridge.ts';
import type { PrintedValue } from '#contract/image/evaluation.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { notify } from '../../base/notices/notices.tsx';
import { packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { activeEditor } from '../groups/active-editor.ts';
import { addBuffer, buffers, modelOf, type PrintedNotice, showBuffer, showPart } from './buffers.ts';

/** Opens a read-only text. */
export function openText(title: string, text: string): void {
  showPage('editor');
  showBuffer(addBuffer({ path: null, title, text, digest: null, dirty: false, passing: true, plain: true }));
}

/** Opens the whole text of a value of which only a part was sent before. */
export async function openValue({ text, cut, handle }: PrintedValue, title: string): Promise<void> {
  if (cut === 0 || handle === null) return openText(title, text);
  const whole = await call('inspector.text', { handle, package: packageOf(shownRepl()) });
  if (whole.expired) {
    notify('The value no longer exists in the image, so only the part shown here is available.');
    return openText(title, text);
  }
  if (whole.cut > 0) notify(`${whole.cut.toLocaleString('en')} characters at its end are not shown.`);
  return openText(title, whole.text);
}

/** Opens the whole output of an evaluation and shows its end. Reuses an open tab of that output. */
export async function openPrinted(evaluation: string, title: string): Promise<void> {
  const open = buffers
    .getState()
    .buffers.find(({ notice }) => notice?.kind === 'printed' && notice.evaluation === evaluation);
  const found = await partOf(evaluation, Number.MAX_SAFE_INTEGER);
  if (!found) return;
  showPage('editor');
  const id =
    open?.id ?? addBuffer({ path: null, title, text: '', digest: null, dirty: false, passing: true, plain: true });
  showPart(id, found.text, found.notice);
  showBuffer(id);
  onceShown(id, (editor, model) => editor.revealLine(model.getLineCount()));
}

/** Shows another part of the output in its tab, and selects a match in that part. */
export async function goToPart(
  id: string,
  evaluation: string,
  part: number,
  match?: { offset: number; length: number },
): Promise<void> {
  const found = await partOf(evaluation, part);
  if (!found) return;
  showPart(id, found.text, found.notice);
  onceShown(id, (editor, model) => {
    if (!match) return editor.setScrollTop(0);
    const start = model.getPositionAt(match.offset);
    const end = model.getPositionAt(match.offset + match.length);
    editor.setSelection({
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    });
    editor.revealLineInCenterIfOutsideViewport(start.lineNumber);
  });
}

/** Returns the offset from which a search continues: the end of the selection in the visible part or, with `backwards`, its start. */
export function searchFrom(id: string, backwards: boolean): number {
  const model = modelOf(id);
  const editor = activeEditor();
  const selection = editor?.getModel() === model ? editor?.getSelection() : null;
  if (!model || !selection) return 0;
  return model.getOffsetAt(backwards ? selection.getStartPosition() : selection.getEndPosition());
}

async function partOf(evaluation: string, part: number): Promise<{ text: string; notice: PrintedNotice } | null> {
  const { printed, problem } = await call('output.part', { evaluation, part });
  if (!printed) {
    notify(problem ?? 'This output is no longer stored.', 'error');
    return null;
  }
  const { text, ...where } = printed;
  return { text, notice: { kind: 'printed', evaluation, ...where } };
}

/** Runs `act` once the editor shows the text, which happens only after the editor is drawn. */
function onceShown(
  id: string,
  act: (editor: monaco.editor.IStandaloneCodeEditor, model: monaco.editor.ITextModel) => void,
): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      const editor = activeEditor();
      const model = modelOf(id);
      if (editor && model && editor.getModel() === model) act(editor, model);
    }, 0),
  );
}
