/** Renaming of a symbol in the visible text, and highlighting of the symbol at the caret. */
import { occurrencesIn } from '#contract/sexp/occurrences.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { symbolPattern } from '#contract/sexp/symbol-pattern.ts';
import { plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { notify } from '../../base/notices/notices.tsx';
import { absolutePath } from '../../base/project-files.ts';
import type { Place } from '#contract/sexp/scopes/environment.ts';
import { localPlaces, renamedLocal } from '#contract/sexp/scopes/scopes.ts';
import { bareName } from '../../sexp/symbols.ts';
import { readingOf } from '../groups/active-editor.ts';
import { bufferOf } from '../text/buffers.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { searchFor } from '../text/project-search.ts';
import { localNear, symbolNear } from './context.ts';

type Model = monaco.editor.ITextModel;

/** The listener that waits for the latest rename to change the text. */
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
        return { edits: [], rejectReason: `${name} cannot be used as a name, because it needs escapes.` };
      const local = localNear(model, found);
      const edits = local
        ? renamedLocal(model.getValue(), local, name).map(({ text, ...at }) => ({ range: rangeOf(model, at), text }))
        : placesOf(model, found.symbol).map((range) => ({ range, text: name }));
      tellOnceRenamed(model, local ? null : found.symbol, edits.length);
      return {
        edits: edits.map((textEdit) => ({ resource: model.uri, versionId: model.getVersionId(), textEdit })),
      };
    },
  });
  const highlight = monaco.languages.registerDocumentHighlightProvider(LISP, {
    provideDocumentHighlights: (model, place) => {
      const found = symbolNear(model, place);
      if (!found) return [];
      const local = localNear(model, found);
      const ranges = local ? local.places.map((at) => rangeOf(model, at)) : placesOf(model, found.symbol);
      return ranges.map((range) => ({ range }));
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

/**
 * When the rename is done, reports how many occurrences it changed, and which other files in the folder still use the old name. `symbol` is
 * null for a local name, which other files do not use.
 */
function tellOnceRenamed(model: Model, symbol: string | null, places: number): void {
  renaming?.dispose();
  renaming = model.onDidChangeContent(() => {
    renaming?.dispose();
    void tellRenamed(model, symbol, places);
  });
}

async function tellRenamed(model: Model, symbol: string | null, places: number): Promise<void> {
  const buffer = bufferOf(model);
  const done = `Renamed ${plural(places, 'place')} in ${buffer?.title ?? 'this text'}.`;
  if (symbol === null) return void notify(`Renamed ${plural(places, 'place')} of the local name.`);
  const name = bareName(symbol);
  const { files } = await call('project.naming', { name: symbol }).catch(() => ({ files: [] }));
  const others = files.filter((file) => absolutePath(file) !== buffer?.path);
  if (others.length === 0) return void notify(done);
  const uses = others.length === 1 ? 'uses' : 'use';
  notify(`${done} ${plural(others.length, 'other file')} of the folder also ${uses} the name ${name}.`, 'info', {
    title: 'Find in files',
    run: async () => {
      showRegion('Search', () => showDock('search'));
      await searchFor(symbolPattern(symbol));
    },
  });
}

/** Returns the occurrences of a name that is not local. A local variable with the same name is left out. */
function placesOf(model: Model, symbol: string): monaco.Range[] {
  const { text, reading } = readingOf(model);
  const local = localPlaces(text, reading.forms, bareName(symbol));
  return occurrencesIn(text, symbol, reading.forms)
    .filter(({ end }) => !local.has(end))
    .map((at) => rangeOf(model, at));
}

function rangeOf(model: Model, { start, end }: Place): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}
