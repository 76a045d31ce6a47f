/**
 * Where markers stand now. Monaco keeps the ranges at which they were set, and moves only what it draws for them; here each has a
 * decoration of its own, which moves with the text.
 */
import { monaco } from './monaco.ts';

type Model = monaco.editor.ITextModel;

/** The decorations of the markers of each text. A marker that is set again is another object. */
const followed = new WeakMap<Model, Map<monaco.editor.IMarker, string>>();

export interface PlacedMarker {
  readonly marker: monaco.editor.IMarker;
  readonly range: monaco.IRange;
}

/** The markers of a text with their present ranges. To be asked whenever markers change: what is new is taken to stand where it was set. */
export function placedMarkers(model: Model): PlacedMarker[] {
  const markers = monaco.editor.getModelMarkers({ resource: model.uri });
  const before = followed.get(model) ?? new Map<monaco.editor.IMarker, string>();
  const gone = [...before].filter(([marker]) => !markers.includes(marker)).map(([, id]) => id);
  const fresh = markers.filter((marker) => !before.has(marker));
  const ids = model.deltaDecorations(gone, fresh.map(decorationOf));
  const added = new Map(fresh.map((marker, index) => [marker, ids[index]!]));
  const now = new Map(markers.map((marker) => [marker, before.get(marker) ?? added.get(marker)!]));
  followed.set(model, now);
  return [...now].map(([marker, id]) => ({ marker, range: model.getDecorationRange(id) ?? rangeOf(marker) }));
}

function decorationOf(marker: monaco.editor.IMarker): monaco.editor.IModelDeltaDecoration {
  return {
    range: rangeOf(marker),
    options: { stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges },
  };
}

function rangeOf({ startLineNumber, startColumn, endLineNumber, endColumn }: monaco.editor.IMarker): monaco.Range {
  return new monaco.Range(startLineNumber, startColumn, endLineNumber, endColumn);
}
