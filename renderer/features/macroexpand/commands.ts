/** Commands that expand macros. */
import { UnfoldHorizontal, UnfoldVertical, Undo2, Zap } from 'lucide-react';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { canTakeBackExpansion, expandAtCaret, type ExpansionMode, takeBackExpansion } from './expansion.ts';
import { inputCaret } from '../../base/image/input-caret.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const withForm = (): true | string => (activeBuffer() || inputCaret() ? true : 'with an open file, or in the REPL');
const expand = (mode: ExpansionMode) => (): Promise<void> => expandAtCaret(mode);

export const macroCommands: Command[] = [
  {
    id: 'macro.expandOne',
    title: 'Expand Macro Once',
    keys: 'Ctrl+Alt+M',
    keysIn: ['Editor text', 'REPL'],
    icon: UnfoldVertical,
    when: withForm,
    run: expand('once'),
  },
  {
    id: 'macro.expandAll',
    title: 'Expand All Macros in Form',
    keys: 'Ctrl+Alt+Shift+M',
    keysIn: ['Editor text', 'REPL'],
    icon: UnfoldHorizontal,
    when: withForm,
    run: expand('fully'),
  },
  {
    id: 'macro.expandCompilerMacro',
    title: 'Expand Compiler Macro',
    icon: Zap,
    when: withForm,
    run: expand('compiler-macro'),
  },
  {
    id: 'macro.takeBack',
    title: 'Undo Expansion',
    keys: 'Ctrl+Alt+Backspace',
    keysIn: 'Editor text',
    icon: Undo2,
    when: () => canTakeBackExpansion() || 'in an expansion',
    run: takeBackExpansion,
  },
];
