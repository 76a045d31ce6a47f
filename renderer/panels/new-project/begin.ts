/** The first steps in a project that was just made: its source in the editor with the caret at its end, and its system loaded. */
import { showLeft, showPage } from '../../base/layout-store.ts';
import { closeOverlay } from '../../base/overlays.ts';
import { activeEditor, revealOffset } from '../../editor/active-editor.ts';
import { textDrawn } from '../../editor/drawn.ts';
import { openFile } from '../../editor/files.ts';
import { orNotice } from '../../features/notices.tsx';
import { reloadSystem } from '../../features/systems/loading.ts';
import { chooseSystem } from '../../features/systems/systems-store.ts';

export async function beginProject(name: string, source: string): Promise<void> {
  closeOverlay();
  chooseSystem(name);
  showLeft('files');
  showPage('editor');
  await openFile(source);
  await textDrawn();
  const editor = activeEditor();
  revealOffset(editor?.getModel()?.getValueLength() ?? 0);
  editor?.focus();
  void orNotice(reloadSystem(name, null, ''));
}
