/** The settings dialog. Each change takes effect at once unless its text says otherwise. */
import { useState } from 'react';
import type { Settings, Settings as SettingsRecord } from '#contract/settings.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import type { SettingEntry } from './entry.ts';
import { NOTES, SETTINGS } from './entries.tsx';
import { foundSettings, inGroups } from './found.ts';
import { changeSettings } from '../../base/change-settings.ts';

import styles from './settings.module.css';

export function Settings() {
  const settings = useMirror((state) => state.settings);
  const [wanted, setWanted] = useState('');
  const found = foundSettings(SETTINGS, wanted);
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
      <FilterField
        label="Find a setting"
        placeholder="Find a setting"
        value={wanted}
        onChange={setWanted}
        count={found.length === SETTINGS.length ? '' : `${found.length} of ${SETTINGS.length}`}
        className={styles.search}
        autoFocus
      />
      <Stack aria-label="Settings" as="section" gap={4}>
        {found.length === 0 ? <Empty title={`No setting matches “${wanted.trim()}”.`} /> : null}
        {inGroups(found).map(({ title, settings: own }) => (
          <Stack key={title} gap={3} role="group" aria-label={title}>
            <Text as="h3" font="small-strong" tone={3}>
              {title}
            </Text>
            {NOTES[title]}
            {own.map((entry) => (
              <Setting key={entry.id} entry={entry} settings={settings} />
            ))}
          </Stack>
        ))}
      </Stack>
    </Dialog>
  );
}

/** A setting, with a button that restores its default. */
function Setting({ entry, settings }: { entry: SettingEntry; settings: SettingsRecord }) {
  const { title, names, draw } = entry;
  const isChanged = changedOf(settings, names).length > 0;
  return (
    <Row align="start" gap={2} className={styles.setting}>
      <Stack gap={2} grow>
        {draw(settings)}
      </Stack>
      {isChanged ? (
        <Button kind="link" size="small" aria-label={`Reset ${title}`} onPress={() => resetSettings(names)}>
          Reset
        </Button>
      ) : null}
    </Row>
  );
}

/** Returns those fields among `names` whose values differ from their defaults. */
function changedOf(settings: Settings, names: readonly (keyof Settings)[]): (keyof Settings)[] {
  const { defaultSettings } = mirror.getState();
  return names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(defaultSettings[name]));
}

/** Restores the defaults of the fields `names`. */
function resetSettings(names: readonly (keyof Settings)[]): void {
  const { defaultSettings } = mirror.getState();
  changeSettings(Object.fromEntries(names.map((name) => [name, defaultSettings[name]])));
}
