/** Shows a source location that the image reports in the editor. */
import type { DefinitionSource } from '#contract/image/definition.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { activeEditor, revealLine, revealOffset } from '../groups/active-editor.ts';
import { buffers, showBuffer } from '../text/buffers.ts';
import { textDrawn } from './drawn.ts';
import { openFile } from '../files/files.ts';

/**
 * Opens a file, or the text with that title, and moves the caret to the location; `column` counts from 1. Resolves when the caret is there.
 */
export async function revealSource({ file, offset, line }: DefinitionSource, column = 1): Promise<void> {
  showPage('editor');
  const open = buffers.getState().buffers.find((buffer) => buffer.path === file || buffer.title === file);
  if (open) showBuffer(open.id);
  else await openFile(file);
  await textDrawn();
  if (line !== null) revealLine(line, column);
  else if (offset !== null) revealOffset(offset);
  activeEditor()?.focus();
}
