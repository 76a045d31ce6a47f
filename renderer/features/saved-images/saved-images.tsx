/** The dialog with the saved images, newest first: each can be opened or removed. */
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import type { SavedImage } from '#contract/image/saved-images.ts';
import { call } from '../../base/bridge.ts';
import { closeOverlay, openOverlay } from '../../base/layout/overlays.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Stack, Text, Truncate } from '../../ui/layout.tsx';
import { pickList, pickRow } from '../../ui/menus/pick-list.ts';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { ago } from '../../ui/time.ts';
import { plural } from '#contract/text/text.ts';
import { mirror } from '../../base/mirror.ts';
import { ask } from '../../base/notices/ask.tsx';
import { onlyInImage } from '../definitions/only-in-image.ts';

export function SavedImages() {
  const [images, setImages] = useState<readonly SavedImage[] | null>(null);
  useEffect(() => {
    void orNotice(
      call('savedImages.list', {}).then(
        (found) => setImages(found.images),
        (error: unknown) => {
          closeOverlay(); // without the list the dialog would stay open but invisible, and could not be opened again
          throw error;
        },
      ),
    );
  }, []);
  const remove = async (name: string): Promise<void> => {
    await call('savedImages.remove', { name });
    setImages((await call('savedImages.list', {})).images);
  };
  if (images === null) return null;
  return (
    <Dialog
      title="Open a saved image"
      onClose={closeOverlay}
      actions={
        images.length > 0 ? null : (
          <>
            <Button size="large" onPress={closeOverlay}>
              Close
            </Button>
            <Button size="large" kind="primary" autoFocus onPress={() => openOverlay({ kind: 'save-image' })}>
              Save Image…
            </Button>
          </>
        )
      }
    >
      <GridList
        autoFocus="first"
        aria-label="Saved images"
        className={pickList}
        items={images.map((image) => ({ ...image, id: image.name }))}
        disabledKeys={images.filter(({ problem }) => problem !== null).map(({ name }) => name)}
        disabledBehavior="selection"
        renderEmptyState={() => (
          <Text as="p" tone={2}>
            No image is saved yet. A saved image contains everything defined and loaded, and can continue here another
            day.
          </Text>
        )}
        onAction={(key) => {
          const chosen = images.find(({ name }) => name === key);
          if (!chosen || chosen.problem !== null) return;
          closeOverlay();
          void orNotice(openSaved(chosen.name));
        }}
      >
        {({ name, savedAt, bytes, problem }) => (
          <GridListItem textValue={name} className={pickRow}>
            <Stack grow>
              <Truncate>{name}</Truncate>
              {problem === null ? null : (
                <Text font="small" tone={2}>
                  {problem}
                </Text>
              )}
            </Stack>
            <Text fixed font="small" tone={3}>
              {`${ago(savedAt)} · ${sizeOf(bytes)}`}
            </Text>
            <IconButton label={`Remove ${name}`} placement="left" onPress={() => void orNotice(remove(name))}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </GridListItem>
        )}
      </GridList>
    </Dialog>
  );
}

/** @throws if the saved image cannot be opened; the running image then stays. */
async function openSaved(name: string): Promise<void> {
  if (mirror.getState().session.pid !== null && !(await agreed(name))) return;
  await call('savedImages.open', { name });
  notify(`The saved image “${name}” is running.`);
}

async function agreed(name: string): Promise<boolean> {
  const count = onlyInImage();
  const loses =
    count === 0
      ? 'with everything defined in it'
      : `and loses ${plural(count, 'definition that is', 'definitions that are')} not in a file`;
  const answer = await ask({
    title: `Open “${name}”?`,
    text: `The running image ends, ${loses}. The saved image replaces it. Your text does not change.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'open', title: 'Open', kind: 'danger' },
    ],
  });
  return answer === 'open';
}
