/** The moment from which the editor has the text that is shown, so that its caret can be put somewhere. */
import { activeEditor } from '../groups/active-editor.ts';
import { activeBuffer, modelOf } from '../text/buffers.ts';

/**
 * Resolves when the text that is shown now is in its editor: before the next key where the editor is on screen, so that what a person
 * types right after stands where they went.
 */
export async function textDrawn(): Promise<void> {
  await Promise.resolve(); // what is to be shown was just set, and is drawn with the next microtask
  if (isDrawn()) return;
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

function isDrawn(): boolean {
  const buffer = activeBuffer();
  const editor = activeEditor();
  return buffer !== null && editor?.getModel() === modelOf(buffer.id) && editor.getLayoutInfo().height > 0;
}
