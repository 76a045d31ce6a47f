/** Waits until the editor has the shown text, so that its caret can be set. */
import { activeEditor } from '../groups/active-editor.ts';
import { activeBuffer, modelOf } from '../text/buffers.ts';

/**
 * Resolves when the shown text is in its editor. If the editor is on screen, that happens before the next key, so that text typed directly
 * after a jump goes to the right place.
 */
export async function textDrawn(): Promise<void> {
  await Promise.resolve(); // the new text was just set, and is drawn in the next microtask
  if (isDrawn()) return;
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

function isDrawn(): boolean {
  const buffer = activeBuffer();
  const editor = activeEditor();
  return buffer !== null && editor?.getModel() === modelOf(buffer.id) && editor.getLayoutInfo().height > 0;
}
