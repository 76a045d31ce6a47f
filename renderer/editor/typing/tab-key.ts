/** The meaning of Tab in the texts of the editor: it indents, or goes on to the next control as it does everywhere else. */
import { monaco } from '../monaco/monaco.ts';

let leaves = false;

/** True while Tab goes on to the next control. */
export function tabLeaves(): boolean {
  return leaves;
}

/** Has Tab go on to the next control, or indent again, in all texts and in those that are opened later. */
export function toggleTabKey(): void {
  leaves = !leaves;
  for (const editor of monaco.editor.getEditors()) editor.updateOptions({ tabFocusMode: leaves });
}

monaco.editor.onDidCreateEditor((editor) => editor.updateOptions({ tabFocusMode: leaves }));
