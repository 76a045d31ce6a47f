/** The caret and the scroll position of each text in each group. They are stored in order to restore them later. */
import type { Caret } from '../groups/kept.ts';
import type { monaco } from '../monaco/monaco.ts';

/** Carets and scroll positions by group and text. */
const carets = new Map<string, Map<string, Caret>>();
const views = new Map<string, Map<string, monaco.editor.ICodeEditorViewState>>();
/** The caret of each text that was moved last, in any group. */
const latest = new Map<string, Caret>();

export function noteCaret(group: string, text: string, caret: Caret): void {
  restoreCaret(group, text, caret);
  latest.set(text, caret);
}

/** Sets the caret that a text gets when a group shows it. */
export function restoreCaret(group: string, text: string, caret: Caret): void {
  put(carets, group, text, caret);
}

/** Returns the caret of a text in a group. If the group has never shown the text, returns the latest caret of the text in any group. */
export function caretIn(group: string, text: string): Caret | null {
  return carets.get(group)?.get(text) ?? latestCaret(text);
}

export function latestCaret(text: string): Caret | null {
  return latest.get(text) ?? null;
}

/** Sets the caret of a text that no group has shown yet. */
export function startCaret(text: string, caret: Caret): void {
  latest.set(text, caret);
}

export function noteView(group: string, text: string, view: monaco.editor.ICodeEditorViewState | null): void {
  if (view) put(views, group, text, view);
}

export function viewIn(group: string, text: string): monaco.editor.ICodeEditorViewState | null {
  return views.get(group)?.get(text) ?? null;
}

/** Copies the caret and scroll position of a text to another group. */
export function copyView(from: string, to: string, text: string): void {
  const caret = carets.get(from)?.get(text);
  const view = viewIn(from, text);
  if (caret) put(carets, to, text, caret);
  if (view) put(views, to, text, view);
}

export function forgetText(text: string): void {
  latest.delete(text);
  for (const known of [...carets.values(), ...views.values()]) known.delete(text);
}

export function forgetGroup(group: string): void {
  carets.delete(group);
  views.delete(group);
}

function put<Value>(into: Map<string, Map<string, Value>>, group: string, text: string, value: Value): void {
  const known = into.get(group) ?? new Map<string, Value>();
  into.set(group, known.set(text, value));
}
