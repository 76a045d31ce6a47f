/** The one Monaco editor of the window, for commands that act on it. */
import { type Reading, readText } from '#contract/sexp/reader.ts';
import { type monaco } from './monaco.ts';

let current: monaco.editor.IStandaloneCodeEditor | null = null;

export function setActiveEditor(editor: monaco.editor.IStandaloneCodeEditor | null): void {
  current = editor;
}

export function activeEditor(): monaco.editor.IStandaloneCodeEditor | null {
  return current;
}

const readings = new WeakMap<monaco.editor.ITextModel, { version: number; text: string; reading: Reading }>();

/** The text of a model and its forms, read once a version. */
export function readingOf(model: monaco.editor.ITextModel): { text: string; reading: Reading } {
  const version = model.getVersionId();
  const known = readings.get(model);
  if (known?.version === version) return known;
  const text = model.getValue();
  const fresh = { version, text, reading: readText(text) };
  readings.set(model, fresh);
  return fresh;
}

/** Shows a place and puts the caret there. */
export function revealOffset(offset: number): void {
  const model = current?.getModel();
  if (!current || !model) return;
  revealLine(model.getPositionAt(offset).lineNumber, model.getPositionAt(offset).column);
}

export function revealLine(line: number, column = 1): void {
  current?.setPosition({ lineNumber: line, column });
  current?.revealLineInCenterIfOutsideViewport(line);
}
