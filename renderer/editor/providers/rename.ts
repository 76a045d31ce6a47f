/** Renaming a symbol in the shown text, and marking the places where the symbol at the caret stands. */
import { occurrencesIn } from '#contract/sexp/occurrences.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { symbolPattern } from '#contract/sexp/symbol-pattern.ts';
import { plural } from '#contract/text.ts';
import { call } from '../../base/bridge.ts';
import { showDock } from '../../base/layout-store.ts';
import { showRegion } from '../../base/regions.ts';
import { notify } from '../../features/notices.tsx';
import { absolutePath } from '../../features/project-files.ts';
import { bareName } from '../../sexp/symbols.ts';
import { readingOf } from '../active-editor.ts';
import { bufferOf } from '../buffers.ts';
import { LISP } from '../language.ts';
import { monaco } from '../monaco.ts';
import { searchFor } from '../project-search.ts';
import { symbolNear } from './context.ts';

type Model = monaco.editor.ITextModel;

/** Waits for the text to change by the latest rename. */
let renaming: monaco.IDisposable | null = null;

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
      const places = placesOf(model, found.symbol);
      tellOnceRenamed(model, found.symbol, places.length);
      return {
        edits: places.map((range) => ({
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
      renaming?.dispose();
      rename.dispose();
      highlight.dispose();
    },
  };
}

/** Tells how many places the rename changed once it is done, and where else in the folder the name stands, which it left alone. */
function tellOnceRenamed(model: Model, symbol: string, places: number): void {
  renaming?.dispose();
  renaming = model.onDidChangeContent(() => {
    renaming?.dispose();
    void tellRenamed(model, symbol, places);
  });
}

async function tellRenamed(model: Model, symbol: string, places: number): Promise<void> {
  const buffer = bufferOf(model);
  const name = bareName(symbol);
  const done = `Renamed ${plural(places, 'place')} in ${buffer?.title ?? 'this text'}.`;
  const { files } = await call('project.naming', { name: symbol }).catch(() => ({ files: [] }));
  const others = files.filter((file) => absolutePath(file) !== buffer?.path);
  if (others.length === 0) return void notify(done);
  const uses = others.length === 1 ? 'uses' : 'use';
  notify(`${done} ${plural(others.length, 'other file')} of the folder ${uses} the name ${name}, too.`, 'info', {
    title: 'Find in files',
    run: async () => {
      showRegion('Search', () => showDock('search'));
      await searchFor(symbolPattern(symbol), true);
    },
  });
}

function placesOf(model: Model, symbol: string): monaco.Range[] {
  const { text, reading } = readingOf(model);
  return occurrencesIn(text, symbol, reading.forms).map(({ start, end }) =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
  );
}
