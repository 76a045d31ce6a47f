/** The list of decided requests: outcome, actor, reason and time, with an undo button if undo is possible. */
import { Check, TriangleAlert, X } from 'lucide-react';
import { memo, useId } from 'react';
import type { DecidedApproval } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/text/visible.ts';
import { clockTime } from '../../ui/time.ts';
import { AgentText } from '../card/agent-text.tsx';
import { Push } from '../button.tsx';
import { aroundPath, decidedWords } from './cards.ts';
import { ClientMark } from '../card/client-mark.tsx';
import { type Undone, useUndo } from '../undo/undo.ts';
import { UndoConflict } from '../undo/undo-conflict.tsx';
import { Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './lists.module.css';

export interface DecidedListProps {
  service: ApprovalBridge | undefined;
  decided: readonly DecidedApproval[];
  /** The id of the card that is open above the list. */
  card: string | null;
}

export const DecidedList = memo(function DecidedList({ service, decided, card }: DecidedListProps) {
  const title = useId();
  const { outcomes, busy, undo, forget, folded, unfold } = useUndo(service, card);
  return (
    <section className={styles.list} aria-labelledby={title}>
      <Text id={title} as="h2" font="small-strong" tone={2} className={styles.title}>
        Decided
      </Text>
      <ul>
        {decided.map((item) => (
          <Row
            key={item.id}
            item={item}
            outcome={outcomes.get(item.id) ?? null}
            busy={busy !== null}
            onUndo={() => undo(item.id)}
            onForget={() => forget(item.id)}
            folded={folded.has(item.id)}
            onUnfold={() => unfold(item.id)}
          />
        ))}
      </ul>
    </section>
  );
});

interface RowProps {
  item: DecidedApproval;
  /** The outcome of the undo; null until it is known. */
  outcome: Undone | null;
  busy: boolean;
  onUndo: () => void;
  onForget: () => void;
  /** True if the texts are folded behind a button. */
  folded: boolean;
  onUnfold: () => void;
}

function Row({ item, outcome: undone, busy, onUndo, onForget, folded, onUnfold }: RowProps) {
  const words = useId();
  const { outcome, headline, reason } = decidedWords(item);
  const [before, path, after] = aroundPath(headline, /\b(?:to|in) (\S+)$/.exec(headline)?.[1]);
  const unknown = item.decision === 'unknown';
  return (
    <li>
      <div
        className={
          unknown
            ? look({ font: 'small', tone: 2 }, styles.row, styles.rowDecided, styles.rowUnknown)
            : look({ font: 'small', tone: 2 }, styles.row, styles.rowDecided)
        }
      >
        <ClientMark id={item.actor.id} />
        <Truncate dir="ltr" as="bdo" font="small-medium" tone={1} className={styles.rowClient}>
          {visible(item.actor.name)}
        </Truncate>
        <OutcomeIcon {...item} />
        <Truncate id={words} className={styles.rowHeadline}>
          {/* Set the direction inside the box whose lines are counted, because setting it on the box itself would not affect the lines. */}
          <bdo dir="ltr">
            <span className={styles.rowOutcome}>{outcome}:</span> {before}
            {path ? <span className="code">{path}</span> : null}
            {after}
            {reason ? ` — ${reason}` : null}
          </bdo>
        </Truncate>
        <Text as="time" tone={2} className={styles.rowTime} dateTime={new Date(item.at).toISOString()}>
          {clockTime(item.at, 'minutes')}
        </Text>
        {item.undo === null ? null : (
          <Push
            kind="link"
            size="small"
            title={item.undo}
            aria-describedby={words}
            disabled={busy}
            onClick={(event) => event.nativeEvent.isTrusted && onUndo()}
          >
            Undo
          </Push>
        )}
      </div>
      {undone ? (
        <Text as="p" font="small" tone={1} breaks className={styles.rowUndone} role="status">
          {item.undo === null ? 'Undone: ' : ''}
          <AgentText text={undone.message} />{' '}
          {undone.texts && folded ? (
            <Push kind="link" size="small" onClick={onUnfold}>
              Show the texts
            </Push>
          ) : null}
        </Text>
      ) : null}
      {undone?.texts && !folded ? <UndoConflict texts={undone.texts} onClose={onForget} /> : null}
    </li>
  );
}

function OutcomeIcon({ decision, failure }: Pick<DecidedApproval, 'decision' | 'failure'>) {
  if (decision === 'unknown' || failure !== null)
    return <TriangleAlert className={look({ tone: 'cautious' }, 'icon', styles.outcome)} aria-hidden />;
  const Icon = decision === 'denied' ? X : Check;
  return <Icon className={classes('icon', styles.outcome)} aria-hidden />;
}
