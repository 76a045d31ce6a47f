/** The progress of a system's run, with a button to stop it. */
import { interrupt } from '../../base/image/evaluations.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { progressWords } from './descriptions.ts';
import { Stack, Text, Truncate } from '../../ui/layout.tsx';
import styles from './progress.module.css';

export function RunProgress({ evaluation, label }: { evaluation: string; label: string }) {
  const progress = useMirror((state) => state.progress.get(evaluation));
  if (!progress) return null;
  return <Progress {...progress} label={label} words={progressWords(progress)} />;
}

interface ProgressProps {
  label: string;
  done: number;
  /** The number of all parts; 0 as long as it is unknown. */
  total: number;
  words: string;
}

/** A bar that shows how many of the parts are finished, with words below it. */
export function Progress({ label, done, total, words }: ProgressProps) {
  return (
    <Stack
      gap={1}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={words}
    >
      <Text surface={4} className={styles.bar}>
        <span style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
      </Text>
      <Truncate font="small" tone={3} title={words}>
        {words}
      </Truncate>
    </Stack>
  );
}

export function CancelRun({ evaluation, label }: { evaluation: string; label: string }) {
  return (
    <Button size="small" aria-label={label} onPress={() => void orNotice(interrupt(evaluation))}>
      Cancel
    </Button>
  );
}
