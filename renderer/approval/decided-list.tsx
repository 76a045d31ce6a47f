/** What was decided: the outcome, by whom, why, and when. */
import { Check, X } from 'lucide-react';
import { memo, useId } from 'react';
import type { DecidedApproval } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { ClientMark } from './client-mark.tsx';
import { clockTime } from '../ui/time.ts';
import { aroundPath, decidedWords } from './cards.ts';

export const DecidedList = memo(function DecidedList({ decided }: { decided: readonly DecidedApproval[] }) {
  const title = useId();
  return (
    <section className="list" aria-labelledby={title}>
      <h2 id={title} className="list-title">
        Decided
      </h2>
      <ul>
        {decided.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
});

function Row({ item }: { item: DecidedApproval }) {
  const { outcome, headline, reason } = decidedWords(item);
  const [before, path, after] = aroundPath(headline, /\bto (\S+)$/.exec(headline)?.[1]);
  const denied = item.decision === 'denied';
  return (
    <li className="row row-decided">
      <ClientMark id={item.actor.id} />
      <span className="row-client">{visible(item.actor.name)}</span>
      {denied ? <X className="icon outcome" aria-hidden /> : <Check className="icon outcome" aria-hidden />}
      <bdo dir="ltr" className="row-headline">
        {outcome}: {before}
        {path ? <span className="code">{path}</span> : null}
        {after}
        {reason ? ` — ${reason}` : null}
      </bdo>
      <time className="row-time" dateTime={new Date(item.at).toISOString()}>
        {clockTime(item.at, 'minutes')}
      </time>
    </li>
  );
}
