/** Why the person is asked: the rule in a sentence, and on demand what lies behind it and what would change it. */
import { useId, useState } from 'react';
import type { ApprovalCard } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { Push } from './button.tsx';
import { Fact } from './card-facts.tsx';
import { LEVELS, ruleParts } from './facts.ts';

export interface RuleProps {
  card: ApprovalCard;
  /** Shows the Clients panel, where modes and rules are. */
  onClients: () => void;
}

export function Rule({ card, onClients }: RuleProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { reason } = card;
  return (
    <>
      <p className="rule">
        {ruleParts(visible(card.rule), card.tool).map(({ text, kind }) => (
          <span key={text} className={kind === 'tool' ? 'code' : `rule-${kind}`}>
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
      </p>
      {reason ? (
        <div id={id} className="reason" hidden={!open}>
          <dl className="facts">
            <Fact label="Rule">
              <span className="code">{visible(reason.rule)}</span>
              <span className="fact-more">{visible(reason.words)}</span>
            </Fact>
            <Fact label="Level">{LEVELS[card.level]}</Fact>
            <Fact label="Mode">
              {visible(card.actor.name)} is in <span className="rule-mode">{reason.mode}</span> mode
            </Fact>
            <Fact label="To ask less">{visible(reason.less)}</Fact>
            <Fact label="To ask more">{visible(reason.more)}</Fact>
          </dl>
          <Push size="small" onClick={onClients}>
            Show modes and rules
          </Push>
        </div>
      ) : null}
    </>
  );
}
