/**
 * Alternative keys for structural editing, from Calva and Emacs. Each command has several keys, because some of them need AltGr on some
 * keyboards.
 */
import { runCommand } from '../../base/keys/command-registry.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';

const { CtrlCmd, Alt, Shift } = monaco.KeyMod;
const { KeyCode } = monaco;

const KEYS: readonly [keys: number, command: string][] = [
  [CtrlCmd | Alt | KeyCode.RightArrow, 'structure.slurpForward'],
  [CtrlCmd | Alt | KeyCode.LeftArrow, 'structure.barfForward'],
  [CtrlCmd | Alt | Shift | KeyCode.LeftArrow, 'structure.slurpBackward'],
  [CtrlCmd | Alt | KeyCode.KeyF, 'move.forward'],
  [CtrlCmd | Alt | KeyCode.KeyB, 'move.backward'],
  [CtrlCmd | Alt | KeyCode.KeyU, 'move.up'],
  [CtrlCmd | Alt | KeyCode.KeyN, 'move.upForward'],
  [CtrlCmd | Alt | KeyCode.KeyD, 'move.down'],
  [CtrlCmd | Alt | KeyCode.KeyP, 'move.downBackward'],
  [CtrlCmd | Alt | KeyCode.KeyT, 'structure.transpose'],
  [CtrlCmd | Alt | KeyCode.KeyK, 'structure.killForm'],
  [CtrlCmd | Alt | KeyCode.KeyQ, 'indent.form'],
];

export function installStructureKeys(editor: monaco.editor.IStandaloneCodeEditor): void {
  for (const [keys, command] of KEYS) {
    editor.addAction({
      id: `keys.${command}`,
      label: command,
      keybindings: [keys],
      precondition: `editorTextFocus && editorLangId == ${LISP}`,
      run: () => runCommand(command),
    });
  }
}
