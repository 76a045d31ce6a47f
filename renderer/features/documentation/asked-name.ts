/** The name that a command asks about: where the keyboard is in the REPL or in the panel Documentation, the one there; else the editor's. */
import { callAround } from '#contract/sexp/calls.ts';
import { focusedRegion } from '../../base/layout/regions.ts';
import { documented, type NamedSymbol } from '../../base/image/documented.ts';
import { inputCaret } from '../../base/image/input-caret.ts';
import { symbolIn } from '../../sexp/symbols.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { nameAtCaret, nameNearCaret } from '../../editor/monaco/follow-caret.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { packageNear, symbolNear } from '../../editor/providers/context.ts';

/** The name where the keyboard is outside of the editor, or in a text without its actions; null where the editor's caret is meant, for which the editor has actions of its own. */
export function nameElsewhere(): { readonly name: NamedSymbol | null } | null {
  if (focusedRegion() === 'Documentation') return { name: documented.getState().name };
  const input = inputCaret();
  if (!input) return nameInLarge();
  const found = symbolIn(input.text, input.caret);
  return { name: found && { symbol: found.text, package: input.package, repl: input.repl } };
}

/** The name at the caret of a text that is too large for the editor's own actions on names; null where another text is shown. */
function nameInLarge(): { readonly name: NamedSymbol | null } | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const place = editor?.getPosition();
  if (!model || !place || !isLarge(model)) return null;
  const found = symbolNear(model, place);
  return { name: found && { symbol: found.symbol, package: packageNear(model, place.lineNumber) } };
}

/** The name at the caret; null where none stands. */
export function askedName(): NamedSymbol | null {
  const elsewhere = nameElsewhere();
  return elsewhere ? elsewhere.name : nameAtCaret();
}

/** The name at the caret, else the operator of the call around it; null where neither is. */
export function askedNameNear(): NamedSymbol | null {
  const elsewhere = nameElsewhere();
  if (!elsewhere) return nameNearCaret();
  const input = inputCaret();
  if (elsewhere.name || !input) return elsewhere.name;
  const call = callAround(input.text, input.caret);
  return call && { symbol: call.operator, package: input.package, repl: input.repl };
}
