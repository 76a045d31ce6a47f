/** The other waiting requests, one row each. Selecting a request opens it in place of the card above. Arrow keys move between the rows. */
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { ClientMark } from '../card/client-mark.tsx';
import { aroundPath } from './cards.ts';
import { DangerMark } from '../card/danger-mark.tsx';
import { TimeLeft } from '../decision/countdown.tsx';
import { Box, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './lists.module.css';

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
    <section className={styles.list} aria-labelledby={title}>
      <Text id={title} as="h2" font="small-strong" tone={2} className={styles.title}>
        Waiting
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} onKeyDown={key}>
        {cards.map((card, index) => {
          const [before, path, after] = aroundPath(card.headline, card.change?.path);
          return (
            <li key={card.id}>
              <Box
                type="button"
                as="button"
                font="small"
                round="control"
                className={classes(styles.row, styles.rowWaiting)}
                tabIndex={index === stop ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onClick={() => onOpen(card.id)}
              >
                <ClientMark id={card.actor.id} />
                <Truncate font="small-medium" tone={1} className={styles.rowClient}>
                  {visible(card.actor.name)}
                </Truncate>
                {card.facts.level.danger === null ? <span /> : <DangerMark label="Dangerous" />}
                <Truncate dir="ltr" as="bdo" className={styles.rowHeadline}>
                  {before}
                  {path ? <span className="code">{path}</span> : null}
                  {after}
                </Truncate>
                {card.configures === null ? null : (
                  <Text padX="mark" tone="cautious" surface={4} round="inline" className={styles.chip}>
                    configures programs
                  </Text>
                )}
                {card.abandoned ? (
                  <Text padX="mark" tone={1} surface={4} round="inline" className={styles.chip}>
                    abandoned
                  </Text>
                ) : null}
                {card.effect ? (
                  <Text padX="mark" tone={1} surface={4} round="inline" className={styles.chip}>
                    parked
                  </Text>
                ) : null}
                <TimeLeft deadline={card.deadline} />
                <ChevronRight className={look({ tone: 3 }, 'icon-small', styles.rowChevron)} aria-hidden />
              </Box>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
