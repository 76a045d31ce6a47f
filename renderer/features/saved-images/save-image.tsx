/** The dialog that saves the image under a name, so that the person can continue with it later. */
import { useState } from 'react';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { notify } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Text } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { AgentsHooks, useAgentsHooks } from './agents-hooks.tsx';

const LONGEST_NAME = 80;

export function SaveImage() {
  const [name, setName] = useState('');
  const [standard] = useState(() => mirror.getState().project?.name ?? 'image');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const hooks = useAgentsHooks();
  const save = async (): Promise<void> => {
    // Save stays enabled while the image is being saved: a disabled button would lose the focus, and Escape would no longer reach the
    // dialog.
    if (isSaving) return;
    const chosen = name.trim() || standard;
    setSaving(true);
    try {
      await call('savedImages.save', { name: chosen });
      closeOverlay();
      notify(`The image was saved as “${chosen}”. Open Saved Image… continues with it.`);
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  return (
    <Dialog
      title="Save the image"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            {isSaving ? 'Close' : 'Cancel'}
          </Button>
          <Button size="large" kind="primary" onPress={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <Text as="p" tone={2}>
        Saves all definitions, loaded code and objects. Threads, open files and connections are not saved.
      </Text>
      <TextField
        autoFocus
        label="Name"
        placeholder={standard}
        value={name}
        onChange={(text) => {
          setName(text.slice(0, LONGEST_NAME));
          setProblem(null);
        }}
        onSubmit={() => void save()}
        error={problem}
      />
      <AgentsHooks
        hooks={hooks ?? []}
        explanation="Agents set functions that SBCL or UIOP calls. Start functions run after the saved image is opened; effects of functions that you have not reviewed need your approval. Save functions are not called."
      />
      <Text as="p" font="small" tone={2} role="status">
        {isSaving
          ? 'A copy of the image writes the file; the image itself continues.'
          : 'Replaces the saved image of this name.'}
      </Text>
    </Dialog>
  );
}
