/** Renaming a symbol in the shown text, and marking the places where the symbol at the caret stands. */
import { occurrencesIn } from '#contract/sexp/occurrences.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { bareName } from '../../sexp/symbols.ts';
import { readingOf } from '../active-editor.ts';
import { LISP } from '../language.ts';
import { monaco } from '../monaco.ts';
import { symbolNear } from './context.ts';

type Model = monaco.editor.ITextModel;

export function installRename(): monaco.IDisposable {
  const rename = monaco.languages.registerRenameProvider(LISP, {
    resolveRenameLocation: (model, place) => {
      const found = symbolNear(model, place);
      if (!found) return { range: monaco.Range.fromPositions(place), text: '', rejectReason: 'There is no name here.' };
      const text = bareName(found.symbol);
      const { endLineNumber, endColumn } = found.range;
      return { range: new monaco.Range(endLineNumber, endColumn - text.length, endLineNumber, endColumn), text };
    },
    provideRenameEdits: (model, place, name) => {
      const found = symbolNear(model, place);
      if (!found) return { edits: [], rejectReason: 'There is no name here.' };
      if (!/^[^\s()"';`,:|\\#]+$/.test(name) || !isComplete(name))
        return { edits: [], rejectReason: `${name} is no name that can be written without escapes.` };
      return {
        edits: placesOf(model, found.symbol).map((range) => ({
          resource: model.uri,
          versionId: model.getVersionId(),
          textEdit: { range, text: name },
        })),
      };
    },
  });
  const highlight = monaco.languages.registerDocumentHighlightProvider(LISP, {
    provideDocumentHighlights: (model, place) => {
      const found = symbolNear(model, place);
      return found ? placesOf(model, found.symbol).map((range) => ({ range })) : [];
    },
  });
  return {
    dispose: () => {
      rename.dispose();
      highlight.dispose();
    },
  };
}

function placesOf(model: Model, symbol: string): monaco.Range[] {
  const { text, reading } = readingOf(model);
  return occurrencesIn(text, symbol, reading.forms).map(({ start, end }) =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
  );
}
