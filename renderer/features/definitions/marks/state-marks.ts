/**
 * Gutter bars for the state of each form: solid in the author's colour if the image runs another version, dashed in the person's colour if
 * the form was edited and not evaluated. The bars of unreviewed changes by agents are drawn by agent-marks.ts.
 */
import { hueFor, nameOf } from '../../../base/actors.ts';
import { mirror } from '../../../base/mirror.ts';
import { definitionKey } from '../definition-rows.ts';
import { readingOf } from '../../../editor/groups/active-editor.ts';
import { bufferOf } from '../../../editor/text/buffers.ts';
import { LISP } from '../../../editor/monaco/language.ts';
import { type MarkedForm, markedForms } from './marked-forms.ts';
import { monaco } from '../../../editor/monaco/monaco.ts';
import { formsToMark, type MarkedState } from './state-forms.ts';

/** Keeps the bars of the shown text up to date with the image's definitions, until the returned object is disposed. */
export function installStateMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const bars = editor.createDecorationsCollection();
  const draw = (): void => {
    const model = editor.getModel();
    bars.set(model ? marksOf(model).map((form) => barOf(model, form)) : []);
  };
  // While the user types, Monaco moves the bars with the text. The changed states are drawn a little later.
  const shown = editor.onDidChangeModel(draw);
  const stop = mirror.subscribe((state, before) => {
    const told = (['deviations', 'unreviewed', 'clients', 'definitions'] as const).some(
      (part) => state[part] !== before[part],
    );
    if (told) draw();
  });
  return {
    dispose(): void {
      stop();
      shown.dispose();
    },
  };
}

function marksOf(model: monaco.editor.ITextModel): MarkedForm<MarkedState>[] {
  const file = bufferOf(model)?.path ?? null;
  if (file === null || model.getLanguageId() !== LISP) return [];
  const { deviations, unreviewed, definitions } = mirror.getState();
  const marked = formsToMark(file, deviations.deviations, unreviewed.entries, (inPackage, each) => {
    const key = definitionKey(inPackage, each);
    const records = definitions.get(inPackage)?.definitions ?? [];
    return records.find((record) => definitionKey(inPackage, record) === key)?.actor ?? null;
  });
  if (marked.length === 0) return [];
  const { text, reading } = readingOf(model);
  return markedForms(text, reading, marked);
}

function barOf(
  model: monaco.editor.ITextModel,
  { entry, start, end }: MarkedForm<MarkedState>,
): monaco.editor.IModelDeltaDecoration {
  const { clients } = mirror.getState();
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const stickiness = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;
  if (entry.state === 'changed-in-file') {
    const linesDecorationsTooltip = 'Edited and not evaluated: the image has the previous version.';
    return { range, options: { stickiness, linesDecorationsClassName: 'edited-bar', linesDecorationsTooltip } };
  }
  const hue = entry.actor === null ? null : hueFor({ id: entry.actor }, clients);
  const by = entry.actor === null ? '' : `, by ${nameOf(entry.actor, clients)}`;
  const whose = hue === null ? 'person-hue' : `agent-hue-${hue}`;
  return {
    range,
    options: {
      stickiness,
      linesDecorationsClassName: `agent-bar ${whose}`,
      linesDecorationsTooltip: `The image has a different version than the file${by}.`,
    },
  };
}
