/** Waits until the editor contains the text to show, so that its caret can be set. */
import { activeEditor } from '../groups/active-editor.ts';
import { activeBuffer, modelOf } from '../text/buffers.ts';

/**
 * Resolves once the text to show is in its editor. If the editor is on screen, this happens before the next key, so that text typed
 * directly after a jump goes to the right position.
 */
export async function textDrawn(): Promise<void> {
  await Promise.resolve(); // the new text was just set and will be drawn in the next microtask
  if (isDrawn()) return;
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

function isDrawn(): boolean {
  const buffer = activeBuffer();
  const editor = activeEditor();
  return buffer !== null && editor?.getModel() === modelOf(buffer.id) && editor.getLayoutInfo().height > 0;
}
