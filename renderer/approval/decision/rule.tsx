/** The rule that caused the request, as a sentence. On demand, also shows the reasons for the rule and how to change it. */
import { useId, useState } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { Push } from '../button.tsx';
import { Fact } from '../card/card-facts.tsx';
import { ruleParts } from './rule-parts.ts';
import { Box, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './decision.module.css';
import factsStyles from '../card/facts.module.css';

export interface RuleProps {
  card: ApprovalCard;
  /** Shows the Clients panel, which has the modes and rules. */
  onClients: () => void;
}

export function Rule({ card, onClients }: RuleProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { reason } = card;
  return (
    <>
      <Text as="p" font="small" tone={2} breaks>
        {ruleParts(visible(card.rule), card.tool).map(({ text, kind }) => (
          <span key={text} className={kind === 'tool' ? 'code' : kind === 'mode' ? look({ tone: 1 }) : undefined}>
            {text}
          </span>
        ))}
        {reason ? (
          <>
            {' '}
            <Push kind="link" size="small" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              Why?
            </Push>
          </>
        ) : null}
      </Text>
      {reason ? (
        <Box id={id} padY={3} padX={3} className={styles.reason} hidden={!open}>
          <Box as="dl" font="small" className={factsStyles.facts}>
            <Fact label="Rule">
              <span className="code">{visible(reason.rule)}</span>
              <span className={factsStyles.more}>{visible(reason.words)}</span>
            </Fact>
            <Fact label="Level">{card.facts.level.word}</Fact>
            {card.actor.kind === 'person' ? null : (
              <Fact label="Mode">
                {visible(card.actor.name)} is in <Text tone={1}>{reason.mode}</Text> mode
              </Fact>
            )}
            <Fact label="To be asked less often">{visible(reason.less)}</Fact>
            <Fact label="To be asked more often">{visible(reason.more)}</Fact>
          </Box>
          <Push size="small" onClick={onClients}>
            Show modes and rules
          </Push>
        </Box>
      ) : null}
    </>
  );
}
