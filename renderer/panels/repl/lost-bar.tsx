/** After an image died: what went with it, and the offer to make the person's part of it again. */
import { History, X } from 'lucide-react';
import { useState } from 'react';
import { Button as IconlessButton } from 'react-aria-components';
import type { LostImage } from '#contract/session.ts';
import { call, messageOf } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { lossSentence, wentBackTo } from './loss.ts';

interface Replayed {
  replayed: number;
  failed: { what: string; message: string }[];
}

export function LostBar() {
  const lost = useMirror((state) => state.session.lost);
  const checkpoints = useMirror((state) => state.session.checkpoints);
  const live = useMirror((state) => state.session.state === 'idle' || state.session.state === 'evaluating');
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Replayed | null>(null);
  if (result) return <ReplayReport result={result} onClose={() => setResult(null)} />;
  if (!lost) return null;
  const replay = async (): Promise<void> => {
    setBusy(true);
    try {
      setResult(await call('session.replay', {}));
    } catch (error) {
      setResult({ replayed: 0, failed: [{ what: 'Replay', message: messageOf(error) }] });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="lost-bar" role="status">
      <History className="icon notice-bar-mark" aria-hidden />
      <div className="lost-text">
        <p>{lost.reason}</p>
        <p className="lost-what">{lossSentence(lost, wentBackTo(lost, checkpoints))}</p>
      </div>
      {hasOwn(lost) ? (
        <Button size="small" isDisabled={busy || !live} onPress={() => void replay()}>
          {busy ? 'Evaluating…' : 'Evaluate my definitions again'}
        </Button>
      ) : null}
      <Button
        size="small"
        kind="quiet"
        isDisabled={busy}
        onPress={() => void orNotice(call('session.dismissLost', {}))}
      >
        Dismiss
      </Button>
    </div>
  );
}

function hasOwn(lost: LostImage): boolean {
  return lost.systems.length > 0 || lost.definitions.some((each) => each.actor === 'person');
}

function ReplayReport({ result, onClose }: { result: Replayed; onClose: () => void }) {
  const { replayed, failed } = result;
  return (
    <div className="lost-bar" role="status">
      <History className="icon notice-bar-mark" aria-hidden />
      <div className="lost-text">
        <p>
          {replayed} evaluated again{failed.length > 0 ? `, ${failed.length} failed` : ''}.
        </p>
        {failed.map(({ what, message }) => (
          <p key={what} className="lost-what">
            <span className="code">{what}</span> {message}
          </p>
        ))}
      </div>
      <IconlessButton className="icon-button" aria-label="Close the report" onPress={onClose}>
        <X className="icon-small" aria-hidden />
      </IconlessButton>
    </div>
  );
}
