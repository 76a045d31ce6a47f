/**
 * The current places of markers. Monaco stores the ranges at which markers were set; when the text changes, it moves only the drawn
 * markers. Therefore each marker gets a decoration here, which moves with the text.
 */
import { monaco } from './monaco.ts';

type Model = monaco.editor.ITextModel;

/** The decorations of each text's markers. A marker that is set again is a new object. */
const followed = new WeakMap<Model, Map<monaco.editor.IMarker, string>>();

export interface PlacedMarker {
  readonly marker: monaco.editor.IMarker;
  readonly range: monaco.IRange;
}

/**
 * Returns the markers of a text with their current ranges. Call this function whenever markers change, because a new marker is assumed to
 * be where it was set.
 */
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
