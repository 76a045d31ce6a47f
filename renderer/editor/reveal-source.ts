/** Shows in the editor a place that the image names. */
import type { DefinitionSource } from '#contract/definition.ts';
import { showPage } from '../base/layout-store.ts';
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
