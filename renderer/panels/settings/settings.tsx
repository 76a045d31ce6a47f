/** What the person may choose. Each change takes effect at once, where nothing else is said. */
import { call } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { closeOverlay } from '../../layout/overlays.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { SandboxChoice } from './sandbox-choice.tsx';
import { WritableFolders } from './writable-folders.tsx';

export function Settings() {
  const settings = useMirror((state) => state.settings);
  const set = (part: Partial<Pick<typeof settings, 'theme' | 'editorFontSize' | 'approvalMinutes'>>): void =>
    void orNotice(call('settings.change', part));
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
      <section aria-label="Settings" className="settings">
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
        <NumberField
          label="Deny requests after"
          unit="minutes"
          value={settings.approvalMinutes}
          min={0.5}
          max={120}
          step={0.5}
          onChange={(approvalMinutes) => set({ approvalMinutes })}
        />
        <p className="dialog-text">A request that you have not decided by then is denied, and the client is told so.</p>
        <SandboxChoice wanted={settings.sandbox} />
        <WritableFolders folders={settings.writableFolders} />
      </section>
    </Dialog>
  );
}
