/** What was decided: the outcome, by whom, why, and when; and taking it back where that is possible. */
import { Check, TriangleAlert, X } from 'lucide-react';
import { memo, useId } from 'react';
import type { DecidedApproval } from '#contract/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/visible.ts';
import { clockTime } from '../ui/time.ts';
import { AgentText } from './agent-text.tsx';
import { Push } from './button.tsx';
import { aroundPath, decidedWords } from './cards.ts';
import { ClientMark } from './client-mark.tsx';
import { type Undone, useUndo } from './undo.ts';
import { UndoConflict } from './undo-conflict.tsx';

export interface DecidedListProps {
  service: ApprovalBridge | undefined;
  decided: readonly DecidedApproval[];
  /** Id of the card that is open above. */
  card: string | null;
}

export const DecidedList = memo(function DecidedList({ service, decided, card }: DecidedListProps) {
  const title = useId();
  const { outcomes, busy, undo, forget, folded, unfold } = useUndo(service, card);
  return (
    <section className="list" aria-labelledby={title}>
      <h2 id={title} className="list-title">
        Decided
      </h2>
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
  /** What came of taking it back; null before that. */
  outcome: Undone | null;
  busy: boolean;
  onUndo: () => void;
  onForget: () => void;
  /** The texts are put away behind a button. */
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
      <div className={unknown ? 'row row-decided row-unknown' : 'row row-decided'}>
        <ClientMark id={item.actor.id} />
        <span className="row-client">{visible(item.actor.name)}</span>
        <OutcomeIcon decision={item.decision} />
        <bdo id={words} dir="ltr" className="row-headline">
          <span className="row-outcome">{outcome}:</span> {before}
          {path ? <span className="code">{path}</span> : null}
          {after}
          {reason ? ` — ${reason}` : null}
        </bdo>
        <time className="row-time" dateTime={new Date(item.at).toISOString()}>
          {clockTime(item.at, 'minutes')}
        </time>
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
        <p className="row-undone" role="status">
          {item.undo === null ? 'Undone: ' : ''}
          <AgentText text={undone.message} />{' '}
          {undone.texts && folded ? (
            <Push kind="link" size="small" onClick={onUnfold}>
              Show the texts
            </Push>
          ) : null}
        </p>
      ) : null}
      {undone?.texts && !folded ? <UndoConflict texts={undone.texts} onClose={onForget} /> : null}
    </li>
  );
}

function OutcomeIcon({ decision }: Pick<DecidedApproval, 'decision'>) {
  if (decision === 'unknown') return <TriangleAlert className="icon outcome level-cautious" aria-hidden />;
  const Icon = decision === 'denied' ? X : Check;
  return <Icon className="icon outcome" aria-hidden />;
}
