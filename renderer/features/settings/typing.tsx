/** The settings for keys and for typing Lisp. */
import type { Settings } from '#contract/settings.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { Text } from '../../ui/layout.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';
import type { SettingEntry } from './entry.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { KEYMAPS } from '../../base/keys/keymaps.ts';
import { Button } from '../../ui/button.tsx';

const group = 'Keys and typing';

const GUARDS: Readonly<Record<Settings['structuralEditing'], string>> = {
  off: 'Every key works as usual, even if parentheses become unbalanced.',
  balanced:
    'Backspace and Delete step over a balanced parenthesis; typing a closing parenthesis moves out of the list.',
  strict: 'Like Balanced, and changes that unbalance a form are refused. Alt+Backspace and Alt+Delete delete anyway.',
};

export const TYPING: readonly SettingEntry[] = [
  {
    id: 'keymap',
    group,
    title: 'Keymap',
    words: 'VS Code SLIME SLY Emacs Alive shortcuts key bindings chords',
    names: ['keymap'],
    draw: ({ keymap }) => <KeymapChoice keymap={keymap} />,
  },
  {
    id: 'guard',
    group,
    title: 'Guard parentheses',
    words: 'off balanced strict structural editing paredit',
    names: ['structuralEditing'],
    draw: ({ structuralEditing }) => (
      <>
        <Choice
          label="Guard parentheses"
          value={structuralEditing}
          options={[
            { value: 'off', title: 'Off' },
            { value: 'balanced', title: 'Balanced' },
            { value: 'strict', title: 'Strict' },
          ]}
          onChange={(guard) => changeSettings({ structuralEditing: guard })}
        />
        <Text as="p" tone={2}>
          {GUARDS[structuralEditing]}
        </Text>
      </>
    ),
  },
  {
    id: 'enter',
    group,
    title: 'Indent new lines',
    words: 'indentation enter return auto format while typing',
    names: ['indentOnEnter'],
    draw: ({ indentOnEnter }) => (
      <>
        <OnOff
          label="Indent new lines"
          value={indentOnEnter}
          onChange={(wanted) => changeSettings({ indentOnEnter: wanted })}
        />
        <Text as="p" tone={2}>
          {indentOnEnter
            ? 'Enter indents the new line according to its form.'
            : 'Enter keeps the column of the previous line. Tab indents according to the form.'}
        </Text>
      </>
    ),
  },
  {
    id: 'paste',
    group,
    title: 'Indent pasted text',
    words: 'indentation paste format',
    names: ['indentOnPaste'],
    draw: ({ indentOnPaste }) => (
      <OnOff
        label="Indent pasted text"
        value={indentOnPaste}
        onChange={(wanted) => changeSettings({ indentOnPaste: wanted })}
      />
    ),
  },
];

function KeymapChoice({ keymap }: Pick<Settings, 'keymap'>) {
  const showKeys = (): void => {
    closeOverlay();
    runCommand('help.keys');
  };
  return (
    <>
      <Choice
        label="Keymap"
        value={keymap}
        options={KEYMAPS}
        onChange={(chosen) => changeSettings({ keymap: chosen })}
      />
      <Text as="p" tone={2}>
        {KEYMAPS.find(({ value }) => value === keymap)?.about}{' '}
        <Button kind="link" size="small" onPress={showKeys}>
          All keys
        </Button>
      </Text>
    </>
  );
}
