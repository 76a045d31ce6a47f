/** The program's own commands in the context menu of the text, with their keys. */
import { commandKeys, runCommand } from '../features/command-registry.ts';
import { mirror } from '../base/mirror.ts';
import { markAtCaret } from './agent-marks.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

/** True while the caret is in a form that an agent changed. */
const AGENT_CHANGED = 'agentChangedHere';

const COMMANDS: readonly { id: string; label: string; when: string }[] = [
  { id: 'evaluate.form', label: 'Evaluate Form', when: `editorLangId == ${LISP}` },
  { id: 'evaluate.topLevel', label: 'Evaluate Top-Level Form', when: `editorLangId == ${LISP}` },
  { id: 'debugger.toggleBreakpoint', label: 'Set or Clear Breakpoint', when: `editorLangId == ${LISP}` },
  { id: 'debugger.editCondition', label: 'Edit Condition of Breakpoint…', when: `editorLangId == ${LISP}` },
  { id: 'editor.agentChange', label: 'Show What an Agent Changed', when: AGENT_CHANGED },
];

export function installContextMenu(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  for (const [index, { id, label, when }] of COMMANDS.entries()) {
    const keys = monacoKeys(commandKeys(id));
    editor.addAction({
      id,
      label,
      // The keymap of the window takes these keys before the editor sees them: here they are only shown.
      ...(keys === null ? {} : { keybindings: [keys] }),
      precondition: when,
      contextMenuGroupId: '1_lisp',
      contextMenuOrder: index,
      run: () => runCommand(id),
    });
  }
  const changed = editor.createContextKey<boolean>(AGENT_CHANGED, false);
  const look = (): void => changed.set(markAtCaret() !== null);
  const { Explicit } = monaco.editor.CursorChangeReason;
  const moved = editor.onDidChangeCursorPosition(({ reason, source }) => {
    // The menu puts the caret to the pointer before it comes up. What moves by typing is not looked at: that reads the text anew.
    if (reason === Explicit || source === 'api') look();
  });
  const stop = mirror.subscribe((state, before) => (state.unreviewed === before.unreviewed ? undefined : look()));
  return {
    dispose: () => {
      moved.dispose();
      stop();
    },
  };
}

/** Keys as Monaco has them; null for none. */
function monacoKeys(keys: string | undefined): number | null {
  if (keys === undefined) return null;
  const parts = keys.split('+');
  const last = parts.at(-1)!;
  const { KeyCode, KeyMod } = monaco;
  const named = KeyCode as unknown as Record<string, number | undefined>;
  const code = named[/^[A-Z]$/.test(last) ? `Key${last}` : last];
  if (code === undefined) return null;
  const modifiers = { Ctrl: KeyMod.CtrlCmd, Alt: KeyMod.Alt, Shift: KeyMod.Shift };
  return Object.entries(modifiers).reduce((all, [name, bits]) => (parts.includes(name) ? all | bits : all), code);
}
