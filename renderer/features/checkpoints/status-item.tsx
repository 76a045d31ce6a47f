/** The status bar item that opens the checkpoints. */
import { History, TriangleAlert } from 'lucide-react';
import { Button } from 'react-aria-components';
import { menuEntry } from '../../base/keys/command-registry.ts';
import { hueFor } from '../../base/actors.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { goBack } from './go-back.tsx';
import { checkpointCount, checkpointFacts, newestFirst } from './descriptions.ts';
import { look } from '../../ui/look.ts';
import styles from '../../ui/status-item.module.css';

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
          ...(problem === null ? {} : { title: `The last checkpoint could not be created. ${problem}` }),
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
      <Button
        className={look(
          { flow: 'row', inline: true, gap: 'mark', round: 'inline', padX: 1, tall: 'full' },
          styles.statusButton,
        )}
      >
        {problem === null ? (
          <History className="icon-small" aria-hidden />
        ) : (
          <TriangleAlert className={look({ tone: 'warning' }, 'icon-small')} aria-label="The last checkpoint failed:" />
        )}
        {checkpointCount(checkpoints.length)}
      </Button>
    </MenuButton>
  );
}
