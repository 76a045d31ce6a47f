/** Adds the program's own commands, with their keys, to the text's context menu. */
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { isMac, readStroke, strokesOf } from '../../ui/menus/key-strokes.ts';
import { mirror } from '../../base/mirror.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

/** The Monaco context key that is true while the caret is in a form that an agent changed. */
export const AGENT_CHANGED = 'agentChangedHere';

const COMMANDS: readonly { id: string; label: string; when: string }[] = [
  { id: 'evaluate.form', label: 'Evaluate Form', when: `editorLangId == ${LISP}` },
  { id: 'evaluate.topLevel', label: 'Evaluate Top-Level Form', when: `editorLangId == ${LISP}` },
  { id: 'test.atCaret', label: 'Run Test at Caret', when: `editorLangId == ${LISP}` },
  { id: 'test.debug', label: 'Debug Test at Caret', when: `editorLangId == ${LISP}` },
  { id: 'inspect.atCaret', label: 'Inspect Value at Caret', when: `editorLangId == ${LISP}` },
  { id: 'macro.expandOne', label: 'Expand Macro Once', when: `editorLangId == ${LISP}` },
  { id: 'debugger.toggleBreakpoint', label: 'Set or Clear Breakpoint', when: `editorLangId == ${LISP}` },
  { id: 'debugger.editCondition', label: 'Edit Condition of Breakpoint…', when: `editorLangId == ${LISP}` },
  { id: 'record.form', label: 'Record Values of This Form', when: `editorLangId == ${LISP}` },
  { id: 'agent.askForm', label: 'Ask Agent about This Form…', when: `editorLangId == ${LISP}` },
  { id: 'editor.agentChange', label: 'Show What an Agent Changed', when: AGENT_CHANGED },
];

/** Makes the menu show F12 for Monaco's own entry. Monaco leaves F12 to the browser, but this program does not run in a browser. */
monaco.editor.addKeybindingRule({ keybinding: monaco.KeyCode.F12, command: 'editor.action.revealDefinition' });

export function installContextMenu(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  let actions = addActions(editor);
  const stop = mirror.subscribe((state, before) => {
    if (state.settings.keymap === before.settings.keymap) return;
    for (const action of actions) action.dispose();
    actions = addActions(editor);
  });
  return { dispose: stop };
}

function addActions(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable[] {
  return COMMANDS.map(({ id, label, when }, index) => {
    const keys = monacoKeys(commandKeys(id));
    return editor.addAction({
      id,
      label,
      // The window's keymap handles these keys before the editor sees them, so they are only displayed here. Without the focus in the text,
      // the keymap leaves them to the box that has the focus, and Monaco must do so too.
      ...(keys === null ? {} : { keybindings: [keys], keybindingContext: 'editorTextFocus' }),
      precondition: when,
      contextMenuGroupId: '1_lisp',
      contextMenuOrder: index,
      run: () => runCommand(id),
    });
  });
}

/** Returns keys in Monaco's format if they are one or two strokes; null otherwise. */
function monacoKeys(keys: string | undefined): number | null {
  const strokes = keys === undefined ? [] : strokesOf(keys).map(monacoStroke);
  const [first = null, second] = strokes;
  if (first === null || second === null || strokes.length > 2) return null;
  return second === undefined ? first : monaco.KeyMod.chord(first, second);
}

/**
 * Returns a stroke in Monaco's format. Returns null for a stroke that Monaco does not know, and for a key that types a character, because
 * the editor must receive that key.
 */
function monacoStroke(keys: string): number | null {
  const { primary, control, alt, shift, key } = readStroke(keys);
  const { KeyCode, KeyMod } = monaco;
  const named = KeyCode as unknown as Record<string, number | undefined>;
  const isLetter = /^[a-z]$/.test(key);
  const code = named[isLetter ? `Key${key.toUpperCase()}` : key.charAt(0).toUpperCase() + key.slice(1)];
  if (code === undefined || (!primary && !control && !alt && !/^f\d+$/.test(key))) return null;
  return (
    code |
    (primary ? KeyMod.CtrlCmd : 0) |
    (control ? (isMac ? KeyMod.WinCtrl : KeyMod.CtrlCmd) : 0) |
    (alt ? KeyMod.Alt : 0) |
    (shift ? KeyMod.Shift : 0)
  );
}
