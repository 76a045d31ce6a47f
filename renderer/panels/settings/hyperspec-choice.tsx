/** The place of the HyperSpec: an address, or the folder of a copy. */
import { useState } from 'react';
import { PUBLIC_HYPERSPEC } from '#contract/hyperspec/place.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../features/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/text-field.tsx';

export function HyperspecChoice({ place }: { place: string }) {
  const [text, setText] = useState(place);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (wanted: string): Promise<void> => {
    setText(wanted);
    const checked = await call('hyperspec.check', { place: wanted });
    setProblem(checked.problem);
    if (checked.place === null) return;
    await call('settings.change', { hyperspec: checked.place });
    setText(checked.place);
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
        description="Its pages open in your browser. The folder of a copy works without a network."
        value={text}
        error={problem}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
        onSubmit={() => void orNotice(keep(text))}
      />
      <Row gap={2}>
        <Button onPress={() => void orNotice(keep(text))} isDisabled={text === place}>
          Use
        </Button>
        <Button onPress={() => void orNotice(choose())}>Choose Folder…</Button>
        {place === PUBLIC_HYPERSPEC ? null : (
          <Button kind="link" size="small" onPress={() => void orNotice(keep(PUBLIC_HYPERSPEC))}>
            Use the public one
          </Button>
        )}
      </Row>
    </Stack>
  );
}
