/** What else waits: a row each, opened in place of the card above. Arrows move between them. */
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ApprovalCard } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { ClientMark } from './client-mark.tsx';
import { aroundPath } from './cards.ts';
import { LevelMark } from './card-facts.tsx';
import { TimeLeft } from './countdown.tsx';

export function WaitingList({ cards, onOpen }: { cards: readonly ApprovalCard[]; onOpen: (id: string) => void }) {
  const title = useId();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const stop = Math.min(current, cards.length - 1);
  const key = (event: KeyboardEvent): void => {
    const next = { ArrowDown: stop + 1, ArrowUp: stop - 1, Home: 0, End: cards.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(cards.length - 1, next));
    setCurrent(to);
    list.current?.querySelectorAll('button')[to]?.focus();
  };
  return (
    <section className="list" aria-labelledby={title}>
      <h2 id={title} className="list-title">
        Waiting
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} onKeyDown={key}>
        {cards.map((card, index) => {
          const [before, path, after] = aroundPath(card.headline, card.change?.path);
          return (
            <li key={card.id}>
              <button
                type="button"
                className="row row-waiting"
                tabIndex={index === stop ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onClick={() => onOpen(card.id)}
              >
                <ClientMark id={card.actor.id} />
                <span className="row-client">{visible(card.actor.name)}</span>
                <LevelMark level={card.level} label />
                <bdo dir="ltr" className="row-headline">
                  {before}
                  {path ? <span className="code">{path}</span> : null}
                  {after}
                </bdo>
                {card.abandoned ? <span className="chip">gave up</span> : null}
                {card.effect ? <span className="chip">parked</span> : null}
                <TimeLeft deadline={card.deadline} />
                <ChevronRight className="icon-small row-chevron" aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
