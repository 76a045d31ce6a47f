/** The locations that use a name, for a peek and for the References panel. */
import { askImage } from '../../base/image/names.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { packageNear, symbolNear } from './context.ts';
import { locationOf } from './locations.ts';

/** The maximum number of references per relation in a peek; the References panel shows more. */
const LIMIT = 200;
const MOST_TEXTS = 40;

export function installReferences(): monaco.IDisposable {
  return monaco.languages.registerReferenceProvider(LISP, {
    provideReferences: async (model, place) => {
      const found = symbolNear(model, place);
      if (!found) return null;
      const answer = await askImage('names.references', {
        symbol: found.symbol,
        package: packageNear(model, place.lineNumber),
        relations: ['called-by', 'references', 'binds', 'sets', 'macroexpands', 'specializes'],
        limit: LIMIT,
      });
      if (!answer) return sameNames(model, found.symbol);
      const sources = answer.relations.flatMap(({ references, total, implementation }) =>
        references.slice(0, total - implementation).map(({ source }) => source),
      );
      const files = new Set<string>();
      const near = sources
        .filter((source) => source !== null)
        .filter(({ file }) => files.has(file) || (files.size < MOST_TEXTS && files.add(file)));
      const places = await Promise.all(near.map(locationOf));
      return places.filter((each) => each !== null);
    },
  });
}

/** Returns the locations of a name in a text, for a peek without an image. */
function sameNames(model: monaco.editor.ITextModel, symbol: string): monaco.languages.Location[] {
  return model
    .findMatches(symbol, false, false, false, '()"\';`, \t', false, LIMIT)
    .map(({ range }) => ({ uri: model.uri, range }));
}
