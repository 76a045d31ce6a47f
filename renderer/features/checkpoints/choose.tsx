/** The dialog with all checkpoints, newest first. Choosing a checkpoint asks for confirmation before the image goes back. */
import { ListBox, ListBoxItem } from 'react-aria-components';
import { hueFor } from '../../base/actors.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { goBack } from './go-back.tsx';
import { checkpointFacts, newestFirst } from './descriptions.ts';
import { Text, Truncate } from '../../ui/layout.tsx';
import { pickList, pickRow } from '../../ui/menus/pick-list.ts';

export function ChooseCheckpoint() {
  const checkpoints = useMirror((state) => state.session.checkpoints);
  const clients = useMirror((state) => state.clients);
  return (
    <Dialog title="Go back to a checkpoint" onClose={closeOverlay}>
      <ListBox
        autoFocus="first"
        aria-label="Checkpoints"
        className={pickList}
        items={newestFirst(checkpoints)}
        renderEmptyState={() => (
          <Text as="p" tone={2}>
            There are no checkpoints.
          </Text>
        )}
        onAction={(key) => {
          const chosen = checkpoints.find(({ id }) => id === key);
          closeOverlay();
          if (chosen) void orNotice(goBack(chosen));
        }}
      >
        {(checkpoint) => (
          <ListBoxItem id={checkpoint.id} textValue={checkpoint.label} className={pickRow}>
            <ActorMark hue={hueFor(checkpoint.actor, clients)} />
            <Truncate grow>{checkpoint.label}</Truncate>
            <Text fixed font="small" tone={3}>
              {checkpointFacts(checkpoint)}
            </Text>
          </ListBoxItem>
        )}
      </ListBox>
    </Dialog>
  );
}
