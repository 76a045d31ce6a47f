/** The choices about typing Lisp: the guard and the colour of its parentheses, and the indentation of what is pasted. */
import type { Settings } from '#contract/settings.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../features/notices.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Text } from '../../ui/layout.tsx';

const GUARDS: Readonly<Record<Settings['structuralEditing'], string>> = {
  off: 'Every key does what it says, also where a form loses its parenthesis.',
  balanced:
    'Backspace and Delete step over a parenthesis that is needed; a closing one that is too many moves out of the list.',
  strict: 'As balanced, and what would unbalance a form is refused. Alt+Backspace and Alt+Delete delete it anyway.',
};

function set(part: Partial<Settings>): void {
  void orNotice(call('settings.change', part));
}

export function GuardChoice({ guard }: { guard: Settings['structuralEditing'] }) {
  return (
    <>
      <Choice
        label="Guard parentheses"
        value={guard}
        options={[
          { value: 'off', title: 'Off' },
          { value: 'balanced', title: 'Balanced' },
          { value: 'strict', title: 'Strict' },
        ]}
        onChange={(structuralEditing) => set({ structuralEditing })}
      />
      <Text as="p" tone={2}>
        {GUARDS[guard]}
      </Text>
    </>
  );
}

export function PasteChoice({ indentOnPaste }: Pick<Settings, 'indentOnPaste'>) {
  return (
    <Choice
      label="Indent what is pasted"
      value={indentOnPaste ? 'on' : 'off'}
      options={[
        { value: 'off', title: 'Off' },
        { value: 'on', title: 'On' },
      ]}
      onChange={(value) => set({ indentOnPaste: value === 'on' })}
    />
  );
}

export function ColourChoice({ parentheses }: Pick<Settings, 'parentheses'>) {
  return (
    <Choice
      label="Colour of parentheses"
      value={parentheses}
      options={[
        { value: 'quiet', title: 'Quiet' },
        { value: 'depth', title: 'By depth' },
      ]}
      onChange={(chosen) => set({ parentheses: chosen })}
    />
  );
}
