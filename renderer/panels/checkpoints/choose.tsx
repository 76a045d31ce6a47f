/** All checkpoints in a dialog, newest first: choosing one asks before it goes back. */
import './checkpoints.css';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { hueFor } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { closeOverlay } from '../../layout/overlays.ts';
import { useMirror } from '../../mirror.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { goBack } from './go-back.tsx';
import { checkpointFacts, newestFirst } from './model.ts';

export function ChooseCheckpoint() {
  const checkpoints = useMirror((state) => state.session.checkpoints);
  const clients = useMirror((state) => state.clients);
  return (
    <Dialog title="Go back to a checkpoint" onClose={closeOverlay}>
      <ListBox
        autoFocus="first"
        aria-label="Checkpoints"
        className="checkpoint-list"
        items={newestFirst(checkpoints)}
        renderEmptyState={() => <p className="dialog-text">There is no checkpoint any more.</p>}
        onAction={(key) => {
          const chosen = checkpoints.find(({ id }) => id === key);
          closeOverlay();
          if (chosen) void orNotice(goBack(chosen));
        }}
      >
        {(checkpoint) => (
          <ListBoxItem id={checkpoint.id} textValue={checkpoint.label} className="checkpoint-row">
            <ActorMark hue={hueFor(checkpoint.actor, clients)} />
            <span className="checkpoint-label">{checkpoint.label}</span>
            <span className="checkpoint-facts">{checkpointFacts(checkpoint)}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </Dialog>
  );
}
