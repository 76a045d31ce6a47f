/** The choices of the person. Each change takes effect at once, where nothing else is said. */
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../features/notices.tsx';
import { closeOverlay } from '../../base/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { KeymapChoice } from './keymap-choice.tsx';
import { SandboxChoice } from './sandbox-choice.tsx';
import { TypingChoices } from './typing-choices.tsx';
import { WritableFolders } from './writable-folders.tsx';
import { Stack, Text } from '../../ui/layout.tsx';

export function Settings() {
  const settings = useMirror((state) => state.settings);
  const set = (
    part: Partial<
      Pick<typeof settings, 'theme' | 'editorFontSize' | 'approvalMinutes' | 'onError' | 'outputMegabytes'>
    >,
  ): void => void orNotice(call('settings.change', part));
  return (
    <Dialog
      title="Settings"
      onClose={closeOverlay}
      actions={
        <Button size="large" kind="primary" onPress={closeOverlay}>
          Done
        </Button>
      }
    >
      <Stack aria-label="Settings" as="section" gap={4}>
        <Choice
          label="Theme"
          value={settings.theme}
          options={[
            { value: 'system', title: 'As the system' },
            { value: 'light', title: 'Light' },
            { value: 'dark', title: 'Dark' },
          ]}
          onChange={(theme) => set({ theme })}
        />
        <NumberField
          label="Editor font size"
          unit="px"
          value={settings.editorFontSize}
          min={11}
          max={20}
          step={1}
          onChange={(editorFontSize) => set({ editorFontSize })}
        />
        <KeymapChoice keymap={settings.keymap} />
        <TypingChoices settings={settings} />
        <Choice
          label="Errors of your evaluations"
          value={settings.onError}
          options={[
            { value: 'debugger', title: 'Wait in the debugger' },
            { value: 'report', title: 'Are reported' },
          ]}
          onChange={(onError) => set({ onError })}
        />
        <NumberField
          label="Deny requests after"
          unit="minutes"
          value={settings.approvalMinutes}
          min={0.5}
          max={120}
          step={0.5}
          onChange={(approvalMinutes) => set({ approvalMinutes })}
        />
        <Text as="p" tone={2}>
          A request that you have not decided by then is denied, and the client is told so.
        </Text>
        <NumberField
          label="Keep of what you evaluate prints"
          unit="MB"
          value={settings.outputMegabytes}
          min={1}
          max={100_000}
          step={1}
          onChange={(outputMegabytes) => set({ outputMegabytes })}
        />
        <Text as="p" tone={2}>
          What is printed beyond that is counted only. Of all entries together no more is kept on disk, until they leave
          the transcript.
        </Text>
        <SandboxChoice wanted={settings.sandbox} />
        <WritableFolders folders={settings.writableFolders} />
      </Stack>
    </Dialog>
  );
}
