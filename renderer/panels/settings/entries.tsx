/** The settings in their order, each with its heading and the words by which it is found. */
import type { ReactNode } from 'react';
import type { Settings } from '#contract/settings.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../features/notices.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Text } from '../../ui/layout.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { Searched } from './found.ts';
import { KeymapChoice } from './keymap-choice.tsx';
import { SandboxChoice } from './sandbox-choice.tsx';
import { ColourChoice, GuardChoice, PasteChoice } from './typing-choices.tsx';
import { WritableFolders } from './writable-folders.tsx';

interface SettingEntry extends Searched {
  readonly id: string;
  readonly draw: (settings: Settings) => ReactNode;
}

function set(part: Partial<Settings>): void {
  void orNotice(call('settings.change', part));
}

export const SETTINGS: readonly SettingEntry[] = [
  {
    id: 'theme',
    group: 'Appearance',
    words: 'Theme system light dark colours mode',
    draw: ({ theme }) => (
      <Choice
        label="Theme"
        value={theme}
        options={[
          { value: 'system', title: 'As the system' },
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ]}
        onChange={(chosen) => set({ theme: chosen })}
      />
    ),
  },
  {
    id: 'font-size',
    group: 'Appearance',
    words: 'Editor font size text px pixels',
    draw: ({ editorFontSize }) => (
      <NumberField
        label="Editor font size"
        unit="px"
        value={editorFontSize}
        min={11}
        max={20}
        step={1}
        onChange={(size) => set({ editorFontSize: size })}
      />
    ),
  },
  {
    id: 'parentheses',
    group: 'Appearance',
    words: 'Colour of parentheses quiet by depth rainbow brackets',
    draw: ({ parentheses }) => <ColourChoice parentheses={parentheses} />,
  },
  {
    id: 'keymap',
    group: 'Keys and typing',
    words: 'Keymap VS Code SLIME SLY Emacs Alive shortcuts key bindings chords',
    draw: ({ keymap }) => <KeymapChoice keymap={keymap} />,
  },
  {
    id: 'guard',
    group: 'Keys and typing',
    words: 'Guard parentheses off balanced strict structural editing paredit',
    draw: ({ structuralEditing }) => <GuardChoice guard={structuralEditing} />,
  },
  {
    id: 'paste',
    group: 'Keys and typing',
    words: 'Indent what is pasted indentation paste format',
    draw: ({ indentOnPaste }) => <PasteChoice indentOnPaste={indentOnPaste} />,
  },
  {
    id: 'errors',
    group: 'Evaluation',
    words: 'Errors of your evaluations wait in the debugger are reported conditions',
    draw: ({ onError }) => (
      <Choice
        label="Errors of your evaluations"
        value={onError}
        options={[
          { value: 'debugger', title: 'Wait in the debugger' },
          { value: 'report', title: 'Are reported' },
        ]}
        onChange={(chosen) => set({ onError: chosen })}
      />
    ),
  },
  {
    id: 'output',
    group: 'Evaluation',
    words: 'Keep of what you evaluate prints MB output limit disk transcript',
    draw: ({ outputMegabytes }) => (
      <>
        <NumberField
          label="Keep of what you evaluate prints"
          unit="MB"
          value={outputMegabytes}
          min={1}
          max={100_000}
          step={1}
          onChange={(kept) => set({ outputMegabytes: kept })}
        />
        <Text as="p" tone={2}>
          What is printed beyond that is counted only. Of all entries together no more is kept on disk, until they leave
          the transcript.
        </Text>
      </>
    ),
  },
  {
    id: 'approvals',
    group: 'Agents and safety',
    words: 'Deny requests after minutes approval timeout clients review',
    draw: ({ approvalMinutes }) => (
      <>
        <NumberField
          label="Deny requests after"
          unit="minutes"
          value={approvalMinutes}
          min={0.5}
          max={120}
          step={0.5}
          onChange={(minutes) => set({ approvalMinutes: minutes })}
        />
        <Text as="p" tone={2}>
          A request that you have not decided by then is denied, and the client is told so.
        </Text>
      </>
    ),
  },
  {
    id: 'sandbox',
    group: 'Agents and safety',
    words: 'Run images in a sandbox bubblewrap network files isolation',
    draw: ({ sandbox }) => <SandboxChoice wanted={sandbox} />,
  },
  {
    id: 'folders',
    group: 'Agents and safety',
    words: 'Writable folders that can be written beside the project paths',
    draw: ({ writableFolders }) => <WritableFolders folders={writableFolders} />,
  },
];
