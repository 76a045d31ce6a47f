/** The choice of the keymap. */
import type { Settings } from '#contract/settings.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { KEYMAPS } from '../../base/keys/keymaps.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Text } from '../../ui/layout.tsx';

export function KeymapChoice({ keymap }: Pick<Settings, 'keymap'>) {
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
