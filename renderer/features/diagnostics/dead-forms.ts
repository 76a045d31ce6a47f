/** Greys out the parts of the shown text that SBCL's reader skips. */
import { deadForms } from '#contract/sexp/conditionals.ts';
import { imageFeatures, onImageFeatures } from '../../base/image/image-features.ts';
import { readingOf } from '../../editor/groups/active-editor.ts';
import { LISP } from '../../editor/monaco/language.ts';
import { monaco } from '../../editor/monaco/monaco.ts';

/** Milliseconds without a key before the text is checked again. */
const REST_MS = 200;
/** The maximum length, in characters, of a text that is checked. */
const LONGEST = 2_000_000;

export function installDeadForms(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const marks = editor.createDecorationsCollection();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    const model = editor.getModel();
    if (!model || model.getLanguageId() !== LISP || model.getValueLength() > LONGEST) return marks.clear();
    const { text, reading } = readingOf(model);
    marks.set(
      deadForms(text, reading.forms, imageFeatures()).map(({ start, end }) => ({
        range: monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
        options: { inlineClassName: 'dead-form', description: 'left out by the reader' },
      })),
    );
  };
  const later = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, REST_MS);
  };
  const typed = editor.onDidChangeModelContent(later);
  const shown = editor.onDidChangeModel(later);
  const stop = onImageFeatures(later);
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      stop();
      typed.dispose();
      shown.dispose();
    },
  };
}
