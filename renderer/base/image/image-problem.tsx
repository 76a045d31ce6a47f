/** Messages for a panel whose image does not exist or does not answer. */
import { runCommand } from '../keys/command-registry.ts';
import { isShared, useShownImage } from './active-repl.ts';
import { Bar } from '../../ui/panels/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Text } from '../../ui/layout.tsx';
import { useSeconds } from '../../ui/now.ts';
import { clockTime, elapsed } from '../../ui/time.ts';

/** Shows that the image has no process, because it is starting or has ended. `what`: the content that the panel would show. */
export function ImageProblem({ what }: { what: string }) {
  const image = useShownImage();
  if (image?.state === 'starting' || image?.state === 'restarting')
    return (
      <Empty title="The image is starting.">
        <p>Its {what} will be shown when it is running.</p>
      </Empty>
    );
  return (
    <Empty title="No image is running.">
      <p>{image?.problem ?? `Start an image to see its ${what}.`}</p>
      <Button
        size="small"
        onPress={() => runCommand(image === null || isShared(image) ? 'image.start' : 'image.restartFurther')}
      >
        Start image
      </Button>
    </Empty>
  );
}

/**
 * Shows that the image does not answer, and when the visible data was current (`at`; null if there is no visible data). Draws nothing while
 * the image answers.
 */
export function Unanswered({ at }: { at: number | null }) {
  const image = useShownImage();
  const silence = image?.silence ?? null;
  const now = useSeconds(silence !== null);
  if (image === null || silence === null) return null;
  const since = elapsed(now - silence.since);
  const why = silence.stopped ? ' Its process was stopped by a signal.' : '';
  return (
    <Bar kind="parked">
      <Text grow breaks>
        The image has not answered for {since}.{why}
        {at === null ? '' : ` The data shown is from ${clockTime(at)}.`}
      </Text>
      <Button size="small" onPress={() => runCommand(isShared(image) ? 'image.restart' : 'image.restartFurther')}>
        Restart Image…
      </Button>
    </Bar>
  );
}
