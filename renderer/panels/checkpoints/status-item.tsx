/** The item of the status bar that leads to the checkpoints. */
import './checkpoints.css';
import { History, TriangleAlert } from 'lucide-react';
import { Button } from 'react-aria-components';
import { menuEntry } from '../../commands/registry.ts';
import { hueFor } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { goBack } from './go-back.tsx';
import { checkpointCount, checkpointFacts, newestFirst } from './model.ts';

export function CheckpointsItem() {
  const checkpoints = useMirror((state) => state.session.checkpoints);
  const problem = useMirror((state) => state.session.checkpointProblem);
  const clients = useMirror((state) => state.clients);
  return (
    <MenuButton
      label="Checkpoints"
      placement="top start"
      groups={[
        {
          id: 'make',
          ...(problem === null ? {} : { title: `The last one could not be made. ${problem}` }),
          entries: [menuEntry('image.checkpoint')],
        },
        {
          id: 'back',
          title: 'Go back to',
          entries: newestFirst(checkpoints).map((checkpoint) => ({
            id: String(checkpoint.id),
            title: checkpoint.label,
            detail: checkpointFacts(checkpoint),
            icon: <ActorMark hue={hueFor(checkpoint.actor, clients)} />,
            run: () => void orNotice(goBack(checkpoint)),
          })),
        },
      ]}
    >
      <Button className="status-item status-button">
        {problem === null ? (
          <History className="icon-small" aria-hidden />
        ) : (
          <TriangleAlert className="icon-small status-warning" aria-label="The last one could not be made:" />
        )}
        {checkpointCount(checkpoints.length)}
      </Button>
    </MenuButton>
  );
}
