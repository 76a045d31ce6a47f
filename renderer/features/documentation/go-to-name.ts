/** Navigation to the definition of a name that is not in a text, such as the name of a breakpoint. */
import { call } from '../../base/bridge.ts';
import { functionOfMethod, keyOfPrinted } from '../debugger/breakpoints.ts';
import { askImage, knownDefinitions, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { notify } from '../../base/notices/notices.tsx';
import { bareName } from '../../sexp/symbols.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { runAction } from '../../editor/monaco/actions.ts';
import { evaluatedModels } from '../../editor/text/evaluated-texts.ts';
import { rememberPlace } from '../../editor/groups/navigation.ts';
import { definitionsOf } from '../../editor/providers/definition.ts';
import { openPlace } from '../../editor/providers/locations.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';

/**
 * Goes to the definition of a name in the same way as from a name in the editor. If there are several definitions, the editor lists them.
 */
export async function goToName(name: NamedSymbol): Promise<void> {
  const places = await definitionsOf(name, null);
  const [first] = places;
  if (!first) {
    notify(`The definition of ${name.symbol} was not found in the image or in the files of the folder.`);
    return;
  }
  rememberPlace('left');
  await openPlace(first.uri, first.range);
  if (places.length > 1) await runAction('editor.action.peekDefinition');
}

/**
 * Goes to the definition of a function or a method, given by its name as read in CL-USER. Prefers the image's definition to a definition in
 * a file of the folder.
 */
export async function goToFunction(name: string): Promise<void> {
  const owner = functionOfMethod(name);
  const symbol = /^\(setf\s+(\S+)\)$/i.exec(owner ?? name)?.[1] ?? owner ?? name;
  const answer = await askImage('names.definitions', { symbol, package: 'COMMON-LISP-USER' }, LONG_PATIENCE_MS);
  const found = answer?.definitions.filter(({ kind }) => FUNCTIONS.has(kind));
  // The image lists a method as `TOTAL :AROUND (ITEM)`.
  const own = found?.filter((each) => keyOfPrinted(`(METHOD ${each.name})`) === keyOfPrinted(name));
  const functions = owner !== null && own && own.length > 0 ? own : found;
  const sources = functions
    ? functions.flatMap((each) => (each.source === null ? [] : [each.source]))
    : knownDefinitions(symbol, null).flatMap(({ definition: { source } }) => (source === null ? [] : [source]));
  const [source] = sources;
  if (source) return revealSource(source);
  const { places } = await call('project.definitions', { name: bareName(symbol) });
  const [place] = places;
  if (place) return revealSource({ file: place.file, line: place.line, offset: null });
  const [model] = evaluatedModels(functions ?? []);
  if (model) return openPlace(model.uri, { lineNumber: 1, column: 1 });
  notify(`The definition of ${name} was not found in the image or in the files of the folder.`);
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'function',
  'generic-function',
  'method',
  'setf-function',
  'setf-method',
]);
