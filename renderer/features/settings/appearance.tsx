/** The settings for the window's appearance. */
import { runCommand } from '../../base/keys/command-registry.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';
import type { SettingEntry } from './entry.ts';
import { KeptField } from './kept-field.tsx';

const group = 'Appearance';

export const APPEARANCE: readonly SettingEntry[] = [
  {
    id: 'theme',
    group,
    title: 'Theme',
    words: 'system light dark colours mode',
    names: ['theme'],
    draw: ({ theme }) => (
      <Choice
        label="Theme"
        value={theme}
        options={[
          { value: 'system', title: 'Same as system' },
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ]}
        onChange={(chosen) => changeSettings({ theme: chosen })}
      />
    ),
  },
  {
    id: 'contrast',
    group,
    title: 'Contrast',
    words: 'high more accessibility text lines',
    names: ['contrast'],
    draw: ({ contrast }) => (
      <Choice
        label="Contrast"
        value={contrast}
        options={[
          { value: 'system', title: 'Same as system' },
          { value: 'more', title: 'High' },
        ]}
        onChange={(chosen) => changeSettings({ contrast: chosen })}
      />
    ),
  },
  {
    id: 'zoom',
    group,
    title: 'Zoom',
    words: 'size larger smaller scale window percent',
    names: [],
    draw: () => (
      <Stack gap={1} role="group" aria-label="Zoom">
        <Text font="small-strong" tone={2}>
          Zoom
        </Text>
        <Row gap={2}>
          <Button onPress={() => runCommand('zoom.out')}>Smaller</Button>
          <Button onPress={() => runCommand('zoom.actual')}>100 %</Button>
          <Button onPress={() => runCommand('zoom.in')}>Larger</Button>
        </Row>
      </Stack>
    ),
  },
  {
    id: 'font-size',
    group,
    title: 'Editor font size',
    words: 'text px pixels',
    names: ['editorFontSize'],
    draw: ({ editorFontSize }) => (
      <NumberField
        label="Editor font size"
        unit="px"
        value={editorFontSize}
        min={11}
        max={20}
        step={1}
        onChange={(size) => changeSettings({ editorFontSize: size })}
      />
    ),
  },
  {
    id: 'code-font',
    group,
    title: 'Font of code',
    words: 'family typeface monospace editor repl',
    names: ['codeFont'],
    draw: (settings) => (
      <KeptField
        name="codeFont"
        settings={settings}
        label="Font of code"
        placeholder="JetBrains Mono"
        description="Font names, separated by commas. The editor and the REPL use the first font that is installed."
      />
    ),
  },
  {
    id: 'word-wrap',
    group,
    title: 'Word wrap',
    words: 'wrap long lines break editor',
    names: ['wordWrap'],
    draw: ({ wordWrap }) => (
      <OnOff label="Word wrap" value={wordWrap} onChange={(wanted) => changeSettings({ wordWrap: wanted })} />
    ),
  },
  {
    id: 'parentheses',
    group,
    title: 'Colour of parentheses',
    words: 'quiet by depth rainbow brackets',
    names: ['parentheses'],
    draw: ({ parentheses }) => (
      <Choice
        label="Colour of parentheses"
        value={parentheses}
        options={[
          { value: 'quiet', title: 'Quiet' },
          { value: 'depth', title: 'By depth' },
        ]}
        onChange={(chosen) => changeSettings({ parentheses: chosen })}
      />
    ),
  },
];
