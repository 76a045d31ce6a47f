/** The settings for documentation. */
import type { SettingEntry } from './entry.ts';
import { useState } from 'react';
import { PUBLIC_HYPERSPEC } from '#contract/hyperspec/public-address.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

export const DOCUMENTATION: readonly SettingEntry[] = [
  {
    id: 'hyperspec',
    group: 'Documentation',
    title: 'Folder or address of the HyperSpec',
    words: 'CLHS standard offline copy LispWorks',
    names: ['hyperspec'],
    draw: ({ hyperspec }) => <HyperspecChoice place={hyperspec} />,
  },
];

function HyperspecChoice({ place }: { place: string }) {
  /** The text that has not been stored yet, and the problem with it. */
  const [draft, setDraft] = useState<{ text: string; problem: string | null } | null>(null);
  const text = draft?.text ?? place;
  const keep = async (wanted: string): Promise<void> => {
    const checked = await call('hyperspec.check', { place: wanted });
    if (checked.place === null) return setDraft({ text: wanted, problem: checked.problem });
    await call('settings.change', { hyperspec: checked.place });
    setDraft(null);
  };
  const choose = async (): Promise<void> => {
    const { folder } = await call('hyperspec.chooseFolder', {});
    if (folder !== null) await keep(folder);
  };
  return (
    <Stack gap={2} role="group" aria-label="HyperSpec">
      <TextField
        label="Folder or address of the HyperSpec"
        placeholder={PUBLIC_HYPERSPEC}
        description="Its pages open in your browser. A local copy works without a network."
        value={text}
        error={draft?.problem ?? null}
        onChange={(next) => setDraft({ text: next, problem: null })}
        onSubmit={() => void orNotice(keep(text))}
      />
      <Row gap={2}>
        <Button onPress={() => void orNotice(keep(text))} isDisabled={text === place}>
          Use
        </Button>
        <Button onPress={() => void orNotice(choose())}>Choose Folder…</Button>
      </Row>
    </Stack>
  );
}
