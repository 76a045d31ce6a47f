/** Chips for a prompt from the editor's caret: the selection, the form, or the definition with its callers. */
import { topLevelAt } from '#contract/sexp/forms.ts';
import { codeChip, definedIn, definitionChip, type PlacedCode, titleOf } from './chips.ts';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { askImage, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { bareName } from '../../sexp/symbols.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { askedName, askedNameNear, nameElsewhere } from '../documentation/asked-name.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';

/** Returns a chip for the selection; null if nothing is selected. */
export function selectionChip(): PromptContext | null {
  const selection = activeEditor()?.getSelection();
  if (!selection || selection.isEmpty()) return null;
  return codeChipOf('selection', selection);
}

/** Returns a chip for the selection, otherwise for the top-level form around the caret; null if there is neither. */
export function formChip(): PromptContext | null {
  const selected = selectionChip();
  if (selected) return selected;
  const range = formRange();
  return range && codeChipOf('form', range);
}

/** Returns a chip for the definition at the caret, from the image and the text, with its callers; null if there is no definition. */
export async function definitionChipNear(): Promise<PromptContext | null> {
  const name = definitionNear();
  return name && definitionChipOf(name);
}

/**
 * Returns the name at the caret, otherwise the name that the surrounding form defines, otherwise the operator of the surrounding call; null
 * if there is none of these.
 */
export function definitionNear(): NamedSymbol | null {
  if (nameElsewhere()) return askedNameNear();
  const name = askedName();
  const code = placedForm();
  const defined = code && definedIn(code.text);
  // If the caret is on a defining operator, use the defined name, which is more likely meant than the operator.
  if (!defined || (name && bareName(name.symbol) !== bareName(defined.operator))) return name ?? askedNameNear();
  return { symbol: defined.name, package: code.package };
}

/** The maximum number of callers that are requested. */
const CALLERS = 200;

async function definitionChipOf(name: NamedSymbol): Promise<PromptContext> {
  const [description, references] = await Promise.all([
    askImage('names.text', { ...name, kind: 'description' }, LONG_PATIENCE_MS),
    askImage('names.references', { ...name, relations: ['called-by'], limit: CALLERS }, LONG_PATIENCE_MS),
  ]);
  const called = references?.relations.find(({ relation }) => relation === 'called-by');
  const shown = bareName(name.symbol).toLowerCase();
  const code = placedForm();
  // The form at the caret is the definition only if it defines this name.
  const defined = code && definedIn(code.text);
  const defines = defined !== null && bareName(defined.name).toLowerCase() === shown;
  return definitionChip({
    name: shown,
    package: name.package,
    description: description?.found ? description.text : null,
    source: defines ? code : null,
    callers: called?.references ?? [],
    totalCallers: called?.total ?? 0,
  });
}

function formRange(): monaco.Range | null {
  const editor = activeEditor();
  const model = editor?.getModel();
  const place = editor?.getPosition();
  if (!model || !place) return null;
  const near = readingNear(model, place.lineNumber);
  const found = near && topLevelAt(near.text, near.reading, model.getOffsetAt(place) - near.base);
  if (!near || !found) return null;
  return monaco.Range.fromPositions(
    model.getPositionAt(found.start + near.base),
    model.getPositionAt(found.end + near.base),
  );
}

function placedForm(): PlacedCode | null {
  const range = formRange();
  return range && placed(range);
}

function codeChipOf(kind: 'form' | 'selection', range: monaco.Range): PromptContext | null {
  const code = placed(range);
  return code && codeChip(kind, code);
}

function placed(range: monaco.Range): PlacedCode | null {
  const model = activeEditor()?.getModel();
  const buffer = activeBuffer();
  if (!model || !buffer) return null;
  const text = model.getValueInRange(range).trimEnd();
  if (text.trim() === '') return null;
  return {
    text,
    package: packageIn(model, model.getOffsetAt(range.getStartPosition())),
    path: buffer.path,
    title: titleOf(buffer.path, buffer.title),
    line: range.startLineNumber,
  };
}
