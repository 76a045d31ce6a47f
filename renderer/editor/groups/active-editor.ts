/** The Monaco editors of the groups. Commands act on the editor of the focused group. */
import { type Reading, readText } from '#contract/sexp/reader.ts';
import { buffers } from '../text/buffers.ts';
import { isLarge } from '../text/large-texts.ts';
import { type monaco } from '../monaco/monaco.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

const editors = new Map<string, Editor>();

export function setEditor(group: string, editor: Editor | null): void {
  if (editor) editors.set(group, editor);
  else editors.delete(group);
}

export function editorOf(group: string): Editor | null {
  return editors.get(group) ?? null;
}

export function activeEditor(): Editor | null {
  return editorOf(buffers.getState().groups.focused);
}

/** The reading for a text that is not Lisp. */
const NOTHING: Reading = { forms: [], missing: null, depth: 0, stray: null };

const readings = new WeakMap<monaco.editor.ITextModel, { version: number; text: string; reading: Reading }>();

/** Returns a model's text and its forms, which are read once per version. */
export function readingOf(model: monaco.editor.ITextModel): { text: string; reading: Reading } {
  const version = model.getVersionId();
  const known = readings.get(model);
  if (known?.version === version) return known;
  const text = model.getValue();
  const fresh = { version, text, reading: isLarge(model) ? NOTHING : readText(text) };
  readings.set(model, fresh);
  return fresh;
}

/** Moves the caret to an offset and scrolls it into view. */
export function revealOffset(offset: number): void {
  const model = activeEditor()?.getModel();
  if (!model) return;
  revealLine(model.getPositionAt(offset).lineNumber, model.getPositionAt(offset).column);
}

export function revealLine(line: number, column = 1): void {
  const editor = activeEditor();
  editor?.setPosition({ lineNumber: line, column });
  editor?.revealLineInCenterIfOutsideViewport(line);
}
