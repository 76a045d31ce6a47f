/** The effect of Tab in the editor's texts: it indents, or it moves the focus to the next control as elsewhere in the window. */
import { monaco } from '../monaco/monaco.ts';

let leaves = false;

/** True while Tab moves the focus to the next control. */
export function tabLeaves(): boolean {
  return leaves;
}

/** Toggles whether Tab moves the focus or indents, in all open and future texts. */
export function toggleTabKey(): void {
  leaves = !leaves;
  for (const editor of monaco.editor.getEditors()) editor.updateOptions({ tabFocusMode: leaves });
}

monaco.editor.onDidCreateEditor((editor) => editor.updateOptions({ tabFocusMode: leaves }));
