/** The name that a command is about: the name at the keyboard focus in the REPL or the Documentation panel, otherwise in the editor. */
import { callAround } from '#contract/sexp/calls.ts';
import { focusedRegion } from '../../base/layout/regions.ts';
import { documented, type NamedSymbol } from '../../base/image/documented.ts';
import { inputCaret } from '../../base/image/input-caret.ts';
import { symbolIn } from '../../sexp/symbols.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { nameAtCaret, nameNearCaret } from '../../editor/monaco/follow-caret.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { packageNear, symbolNear } from '../../editor/providers/context.ts';

/**
 * Returns the name at the keyboard focus if the focus is in the Documentation panel, in a REPL's input, or in a text too large for the
 * editor's own actions on names. Otherwise returns null: the command is then about the editor's caret, and the editor's own action handles
 * it.
 */
export function nameElsewhere(): { readonly name: NamedSymbol | null } | null {
  if (focusedRegion() === 'Documentation') return { name: documented.getState().name };
  const input = inputCaret();
  if (!input) return nameInLarge();
  const found = symbolIn(input.text, input.caret);
  return { name: found && { symbol: found.text, package: input.package, repl: input.repl } };
}

/** Returns the name at the caret of a text that is too large for the editor's own actions on names; null if another text is shown. */
function nameInLarge(): { readonly name: NamedSymbol | null } | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const place = editor?.getPosition();
  if (!model || !place || !isLarge(model)) return null;
  const found = symbolNear(model, place);
  return { name: found && { symbol: found.symbol, package: packageNear(model, place.lineNumber) } };
}

/** Returns the name at the caret, or null. */
export function askedName(): NamedSymbol | null {
  const elsewhere = nameElsewhere();
  return elsewhere ? elsewhere.name : nameAtCaret();
}

/** Returns the name at the caret, otherwise the operator of the call around it; null if there is neither. */
export function askedNameNear(): NamedSymbol | null {
  const elsewhere = nameElsewhere();
  if (!elsewhere) return nameNearCaret();
  const input = inputCaret();
  if (elsewhere.name || !input) return elsewhere.name;
  const call = callAround(input.text, input.caret);
  return call && { symbol: call.operator, package: input.package, repl: input.repl };
}
