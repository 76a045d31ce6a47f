/**
 * Syntax checks of open texts that are not shown, such as the texts of a restored window. Each text is checked when it is opened, when
 * another program changed its file, and when the image may know other packages or reader macros. The texts are checked one after the other,
 * so that the image has time for requests that a user is waiting for.
 */
import { mirror } from '../../base/mirror.ts';
import { ended } from '../../base/image/evaluations.ts';
import { buffers, modelOf } from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { checkSyntax } from './syntax-check.ts';

/** Milliseconds before the background texts are checked, so that the shown text comes first. */
const REST_MS = 1_500;

/** Starts to check the open texts in the background when they or the image change. */
export function startBackgroundSyntaxCheck(): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let turn: Promise<void> = Promise.resolve();
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      turn = turn.then(checkHidden);
    }, REST_MS);
  };
  buffers.subscribe((state, before) => {
    if (state.buffers.some(({ id }) => !before.buffers.some((other) => other.id === id))) soon();
  });
  const follow = (model: monaco.editor.ITextModel): void => {
    model.onDidChangeContent(() => {
      if (!model.isAttachedToEditor()) soon();
    });
  };
  for (const model of monaco.editor.getModels()) follow(model);
  monaco.editor.onDidCreateModel(follow);
  mirror.subscribe(({ session }, { session: before }) => {
    if (session.pid !== null && session.pid !== before.pid) soon();
  });
  ended.subscribe(soon);
  soon();
}

async function checkHidden(): Promise<void> {
  const shown = new Set(monaco.editor.getEditors().map((editor) => editor.getModel()));
  for (const { id } of buffers.getState().buffers) {
    const model = modelOf(id);
    if (model && !model.isDisposed() && !shown.has(model)) await checkSyntax(model);
  }
}
