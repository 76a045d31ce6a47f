/** The bar that appears after an image ended unexpectedly. It lists the lost work and offers to evaluate the person's part of it again. */
import { History, X } from 'lucide-react';
import { useState } from 'react';
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { LostImage, Session } from '#contract/image/session.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { useOfShownImage } from '../../base/image/active-repl.ts';
import type { Entry } from '../../base/image/transcript.ts';
import { transcript, useTranscript } from '../../base/image/transcript-store.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Bar } from '../../ui/panels/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { lossSentence, wentBackTo } from './loss.ts';
import { Box, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { PlainIconButton } from '../../ui/icon-button.tsx';
import styles from './input/input.module.css';

interface Replayed {
  /** The time at which the image that had these definitions ended. If a later image ends too, a new bar is shown. */
  of: number;
  /** The person's latest evaluation at that time; null if there was none. */
  before: string | null;
  replayed: number;
  failed: { what: string; message: string }[];
}

const NO_CHECKPOINTS: Session['checkpoints'] = [];

/** `repl` is the shown REPL. */
export function LostBar({ repl: { id: repl, image } }: { repl: ReplRecord }) {
  const lost = useOfShownImage((shown) => shown?.lost ?? null);
  const checkpoints = useOfShownImage((shown) => shown?.checkpoints ?? NO_CHECKPOINTS);
  const live = useOfShownImage((shown) => ['idle', 'evaluating', 'debugging'].includes(shown?.state ?? 'gone'));
  const latest = latestOf(useTranscript(repl));
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Replayed | null>(null);
  // A success message disappears at the next evaluation. A message with failures stays until it is closed.
  if (result?.failed.length === 0 && result.before !== latest) setResult(null);
  if (result && (!lost || lost.at === result.of))
    return <ReplayReport result={result} onClose={() => setResult(null)} />;
  if (!lost) return null;
  const replay = async (): Promise<void> => {
    setBusy(true);
    try {
      const replayed = await call('image.replay', { image });
      setResult({ of: lost.at, before: latestOf(transcript.entries()), ...replayed });
    } catch (error) {
      setResult({ of: lost.at, before: null, replayed: 0, failed: [{ what: 'Replay', message: messageOf(error) }] });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Bar kind="parked" align="start" gap={3} padY={2} selectable>
      <History className={look({ tone: 'cautious' }, 'icon')} aria-hidden />
      <Box grow scroll breaks className={styles.lostText}>
        <p>{lost.reason}</p>
        <Text as="p" tone={2}>
          {lossSentence(lost, wentBackTo(lost, checkpoints))}
        </Text>
      </Box>
      {hasOwn(lost) ? (
        <Button size="small" isDisabled={busy || !live} onPress={() => void replay()}>
          {busy ? 'Evaluating…' : 'Evaluate my definitions again'}
        </Button>
      ) : null}
      <Button
        size="small"
        kind="quiet"
        isDisabled={busy}
        onPress={() => void orNotice(call('image.dismissLost', { image }))}
      >
        Dismiss
      </Button>
    </Bar>
  );
}

function latestOf(entries: readonly Entry[]): string | null {
  return entries.findLast(({ agent, note }) => agent === null && note === undefined)?.evaluation ?? null;
}

function hasOwn(lost: LostImage): boolean {
  return lost.systems.length > 0 || lost.more.own > 0 || lost.definitions.some((each) => isPersonId(each.actor));
}

function ReplayReport({ result, onClose }: { result: Replayed; onClose: () => void }) {
  const { replayed, failed } = result;
  return (
    <Bar kind="parked" align="start" gap={3} padY={2} selectable>
      <History className={look({ tone: 'cautious' }, 'icon')} aria-hidden />
      <Box grow scroll breaks className={styles.lostText}>
        <p>
          {replayed} evaluated again{failed.length > 0 ? `, ${failed.length} failed` : ''}.
        </p>
        {replayed > failed.length ? (
          <Text as="p" tone={2}>
            Variables have been reset to the values in their definitions. The effects of other forms, such as{' '}
            <span className="code">setf</span>, are not repeated.
          </Text>
        ) : null}
        {failed.map(({ what, message }) => (
          <Text key={what} as="p" tone={2}>
            <span className="code">{what}</span> {message}
          </Text>
        ))}
      </Box>
      <PlainIconButton aria-label="Close the report" onPress={onClose}>
        <X className="icon-small" aria-hidden />
      </PlainIconButton>
    </Bar>
  );
}
