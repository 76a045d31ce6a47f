/** The small dialog in which the person names and creates a checkpoint. */
import { useState } from 'react';
import { LABEL_LIMIT } from '#contract/limits.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { clockTime } from '../../ui/time.ts';
import { Text } from '../../ui/layout.tsx';

export function MakeCheckpoint() {
  const [label, setLabel] = useState('');
  const [standard] = useState(() => `created at ${clockTime(Date.now(), 'minutes')}`);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await call('session.checkpoint', { label: label.trim() || standard });
      closeOverlay();
      notify(`Checkpoint “${made.label}” was created.`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Make a checkpoint"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Cancel
          </Button>
          <Button size="large" kind="primary" isDisabled={busy} onPress={() => void make()}>
            Create
          </Button>
        </>
      }
    >
      <Text as="p" tone={2}>
        A saved state of the whole image that you can return to. One is created automatically before each evaluation of
        an agent.
      </Text>
      <TextField
        autoFocus
        label="Name"
        placeholder={standard}
        value={label}
        onChange={(text) => setLabel(text.slice(0, LABEL_LIMIT))}
        onSubmit={() => (busy ? undefined : void make())}
        error={problem}
      />
    </Dialog>
  );
}
