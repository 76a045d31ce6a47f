/** The first steps in a project that was just made: its source in the editor with the caret at its end, and its system loaded. */
import { showLeft, showPage } from '../../base/layout/layout-store.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { activeEditor, revealOffset } from '../../editor/groups/active-editor.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { reloadSystem } from '../systems/loading.ts';
import { chooseSystem } from '../systems/systems-store.ts';

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
