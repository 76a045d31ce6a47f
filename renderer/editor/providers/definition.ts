/** Go to Definition and Peek Definition: locations from the image, otherwise from the mirror and the text itself. */
import type { DefinitionSource } from '#contract/image/definition.ts';
import type { FoundDefinition } from '#contract/image/introspection.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { call } from '../../base/bridge.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { askImage, atOnce, knownDefinitions, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { bareName } from '../../sexp/symbols.ts';
import { readingOf } from '../groups/active-editor.ts';
import { buffers, modelOf } from '../text/buffers.ts';
import { evaluatedModels } from '../text/evaluated-texts.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { localNear, packageNear, symbolNear } from './context.ts';
import { locationOf, nameIn } from './locations.ts';
import { slotsMeant } from './slots.ts';

type Model = monaco.editor.ITextModel;

/** The maximum number of locations whose texts are read for a peek. */
const MOST = 60;
/**
 * Kinds of definitions that accompany a function's own definition. They are left out, because the user wants to go to the function without
 * choosing.
 */
const BESIDE = new Set([
  'compiler-macro',
  'source-transform',
  'transform',
  'optimizer',
  'vop',
  'ir1-convert',
  'declaration',
]);

export function installDefinition(): monaco.IDisposable {
  return monaco.languages.registerDefinitionProvider(LISP, {
    provideDefinition: async (model, place) => {
      const found = symbolNear(model, place);
      const slots = found && (await slotsMeant(model, found.range));
      if (slots && slots.length > 0) return slots.map(({ location }) => location);
      const local = found && localNear(model, found);
      if (local)
        return {
          uri: model.uri,
          range: monaco.Range.fromPositions(model.getPositionAt(local.at.start), model.getPositionAt(local.at.end)),
        };
      return found
        ? definitionsOf({ symbol: found.symbol, package: packageNear(model, place.lineNumber) }, model)
        : null;
    },
  });
}

/**
 * Returns the locations where a name is defined. Asks the image first. If the image does not answer quickly or does not know the name,
 * searches the texts. If the texts do not define the name either, waits for the image. `model` is the text that contains the name, if any.
 */
export async function definitionsOf(name: NamedSymbol, model: Model | null): Promise<monaco.languages.Location[]> {
  const { symbol, package: inPackage } = name;
  const here = model ? definitionsIn(model, symbol) : [];
  const asked = askImage('names.definitions', name, LONG_PATIENCE_MS);
  const first = await atOnce(asked);
  const answer = first === 'late' ? null : first;
  const found = answer
    ? await locationsInFiles(answer.definitions)
    : await locationsOf(knownDefinitions(symbol, inPackage).map(({ definition }) => definition.source));
  const inFiles = here.length + found.length > 0 ? found : await definitionsInFiles(symbol);
  if (here.length + inFiles.length === 0 && first === 'late') {
    const late = (await asked)?.definitions ?? [];
    return [...(await locationsInFiles(late)), ...evaluatedLocations(late)];
  }
  // An evaluated form may have come from one of these texts without the image's knowledge. If only the texts define the name, leave
  // evaluated forms out.
  const beside = found.length > 0 || here.length + inFiles.length === 0;
  const others = beside ? [...inFiles, ...evaluatedLocations(answer?.definitions ?? [])] : inFiles;
  // For definitions in the text itself, use their current locations, not those at which the image read them.
  return distinct([
    ...here,
    ...others.filter(({ uri }) => here.length === 0 || uri.toString() !== model?.uri.toString()),
  ]);
}

function locationsInFiles(definitions: readonly FoundDefinition[]): Promise<monaco.languages.Location[]> {
  return locationsOf(foremost(definitions).map(({ source }) => source));
}

/** Returns the locations of the evaluated forms that created the definitions and are not in any file. */
function evaluatedLocations(definitions: readonly FoundDefinition[]): monaco.languages.Location[] {
  return evaluatedModels(foremost(definitions)).map((model) => ({
    uri: model.uri,
    range: monaco.Range.fromPositions(model.getPositionAt(nameIn(model, 0))),
  }));
}

async function locationsOf(sources: readonly (DefinitionSource | null)[]): Promise<monaco.languages.Location[]> {
  const known = sources.filter((source) => source !== null).slice(0, MOST);
  return (await Promise.all(known.map(locationOf))).filter((each) => each !== null);
}

/** Returns the definitions of a name in open texts and in the other files of the project. */
async function definitionsInFiles(symbol: string): Promise<monaco.languages.Location[]> {
  const open = buffers.getState().buffers;
  const inOpen = open.flatMap(({ id }) => {
    const model = modelOf(id);
    return model?.getLanguageId() === LISP ? definitionsIn(model, symbol) : [];
  });
  const { places } = await call('project.definitions', { name: bareName(symbol) }).catch(() => ({ places: [] }));
  const closed = places.filter(({ file }) => !open.some(({ path }) => path === file));
  return [...inOpen, ...(await locationsOf(closed.map(({ file, line }) => ({ file, line, offset: null }))))];
}

/** Returns the definitions, except those that only accompany another definition. */
function foremost<Found extends { readonly kind: string }>(all: readonly Found[]): readonly Found[] {
  const own = all.filter(({ kind }) => !BESIDE.has(kind));
  return own.length > 0 ? own : all;
}

/** Returns the locations of those forms in a text that define a name. */
function definitionsIn(model: Model, symbol: string): monaco.languages.Location[] {
  const wanted = bareName(symbol).toLowerCase();
  const { text, reading } = readingOf(model);
  return reading.forms.flatMap((form) => {
    const defined = definitionIn(text, form);
    if (!defined) return [];
    const name = /^\(setf\s+([^\s)]+)/i.exec(defined.name)?.[1] ?? defined.name.split(' ', 1)[0]!;
    if (bareName(name).toLowerCase() !== wanted) return [];
    const range = monaco.Range.fromPositions(model.getPositionAt(form.children[1]?.start ?? form.start));
    return [{ uri: model.uri, range }];
  });
}

function distinct(places: monaco.languages.Location[]): monaco.languages.Location[] {
  const seen = new Set<string>();
  return places.filter(({ uri, range }) => {
    const key = `${uri.toString()}:${range.startLineNumber}`;
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}
