/** Draws a text's invisible characters, such as zero-width spaces, as their code points, because they can hide in names and strings. */
import { undrawnIn } from '#contract/text/visible.ts';
import { monaco } from './monaco.ts';

/** The number of columns that are checked per line; the editor draws no more than these. */
const COLUMNS = 10_000;

/** Marks hidden characters in the visible lines. Updates the marks when other lines become visible or the text changes. */
export function installHiddenCharacters(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const marks = editor.createDecorationsCollection();
  const draw = (): void => {
    const model = editor.getModel();
    if (model) marks.set(editor.getVisibleRanges().flatMap((range) => marksOf(model, range)));
  };
  const listeners = [
    editor.onDidChangeModel(draw),
    editor.onDidChangeModelContent(draw),
    editor.onDidScrollChange(draw),
    editor.onDidLayoutChange(draw),
    editor.onDidChangeHiddenAreas(draw),
  ];
  return { dispose: () => listeners.forEach((listener) => listener.dispose()) };
}

function marksOf(
  model: monaco.editor.ITextModel,
  { startLineNumber: first, endLineNumber: last }: monaco.Range,
): monaco.editor.IModelDeltaDecoration[] {
  const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return lines.flatMap((line) =>
    undrawnIn(model.getLineContent(line).slice(0, COLUMNS)).map(({ start, end, text }) => ({
      range: new monaco.Range(line, start + 1, line, end + 1),
      options: {
        description: 'an invisible character',
        showIfCollapsed: true,
        before: { content: text, inlineClassName: 'hidden-character', inlineClassNameAffectsLetterSpacing: true },
      },
    })),
  );
}
