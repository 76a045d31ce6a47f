/** A small dialog for renaming a REPL or an image. */
import { useState } from 'react';
import { NAME_LIMIT } from '#contract/limits.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

export function Rename({ what, id, name }: { what: 'repl' | 'image'; id: string; name: string }) {
  const [given, setGiven] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const rename = async (): Promise<void> => {
    if (given.trim() === '') return;
    try {
      await (what === 'repl'
        ? call('repl.rename', { repl: id, name: given })
        : call('image.rename', { image: id, name: given }));
      closeOverlay();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog
      title={what === 'repl' ? 'Rename the REPL' : 'Rename the image'}
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Cancel
          </Button>
          <Button size="large" kind="primary" isDisabled={given.trim() === ''} onPress={() => void rename()}>
            Rename
          </Button>
        </>
      }
    >
      <TextField
        autoFocus
        label="Name"
        value={given}
        onChange={(text) => setGiven(text.slice(0, NAME_LIMIT))}
        onSubmit={() => void rename()}
        error={problem}
      />
    </Dialog>
  );
}
