/** How far the run of a system is, with the way to end it. */
import { interrupt } from '../../evaluations.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { progressWords } from './words.ts';

export function RunProgress({ evaluation, label }: { evaluation: string; label: string }) {
  const progress = useMirror((state) => state.progress.get(evaluation));
  if (!progress) return null;
  const { done, total } = progress;
  const words = progressWords(progress);
  return (
    <div
      className="system-progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={words}
    >
      <span className="system-progress-bar">
        <span style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
      </span>
      <span className="system-progress-words" title={words}>
        {words}
      </span>
    </div>
  );
}

export function CancelRun({ evaluation, label }: { evaluation: string; label: string }) {
  return (
    <Button size="small" aria-label={label} onPress={() => void orNotice(interrupt(evaluation))}>
      Cancel
    </Button>
  );
}
