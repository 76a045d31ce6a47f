/** From a place that the image names to that place in the editor. */
import type { DefinitionSource } from '#contract/definition.ts';
import { showPage } from '../layout/layout-store.ts';
import { activeEditor, revealLine, revealOffset } from './active-editor.ts';
import { openFile } from './files.ts';

export async function revealSource({ file, offset, line }: DefinitionSource): Promise<void> {
  showPage('editor');
  await openFile(file);
  // The editor shows the text once it is drawn.
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (line !== null) revealLine(line);
      else if (offset !== null) revealOffset(offset);
      activeEditor()?.focus();
    }, 0),
  );
}
