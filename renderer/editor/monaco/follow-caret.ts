/** The name at the caret, for the commands that act on it and the panels that follow it. */
import { callAround } from '#contract/sexp/calls.ts';
import { followName, type NamedSymbol } from '../../base/image/documented.ts';
import { activeEditor } from '../groups/active-editor.ts';
import type { monaco } from './monaco.ts';
import { formNear, localNear, packageNear, symbolNear } from '../providers/context.ts';
import { LISP } from './language.ts';

/** How long the caret must rest, in milliseconds, before the panels follow it. */
const REST_MS = 180;

export function installCaretFollowing(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const follow = (): void => {
    const name = isLocalAtCaret(editor) ? null : nameNearCaret();
    if (name && !name.symbol.startsWith(':')) followName(name);
  };
  const moved = editor.onDidChangeCursorPosition(() => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(follow, REST_MS);
  });
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      moved.dispose();
    },
  };
}

/** True if the caret is at a local name, which is unknown to the image. */
function isLocalAtCaret(editor: monaco.editor.IStandaloneCodeEditor): boolean {
  const [model, place] = [editor.getModel(), editor.getPosition()];
  const found = model?.getLanguageId() === LISP && place ? symbolNear(model, place) : null;
  return found !== null && localNear(model!, found) !== null;
}

/** Returns the name at the caret, otherwise the operator of the call around it; null if there is neither. */
export function nameNearCaret(): NamedSymbol | null {
  const name = nameAtCaret();
  if (name) return name;
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position || model.getLanguageId() !== LISP) return null;
  const around = formNear(model, position);
  const call = around && callAround(around.text, around.offset);
  return call && { symbol: call.operator, package: packageNear(model, position.lineNumber) };
}

/** Returns the name at the caret and the package in which it is read; null if there is no name. */
export function nameAtCaret(): NamedSymbol | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position || model.getLanguageId() !== LISP) return null;
  const found = symbolNear(model, position);
  return found && { symbol: found.symbol, package: packageNear(model, position.lineNumber) };
}
