/** The facts of a request: its target, whether it can be undone, and in the details its level and its arguments. */
import { TriangleAlert, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { AgentText } from './agent-text.tsx';
import { DangerMark } from './danger-mark.tsx';
import { Details } from './details.tsx';
import { Push } from '../button.tsx';
import { useUnsaved } from '../edit/unsaved.ts';
import { Box, Row, Text } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './facts.module.css';

export interface CardFactsProps {
  card: ApprovalCard;
  wholeShown: readonly string[];
  /** Shows an argument in full or folds it again; null while the text is being edited. */
  onShowWhole: ((name: string, show: boolean) => void) | null;
}

export function CardFacts({ card, wholeShown, onShowWhole }: CardFactsProps) {
  const { target, checked } = card.facts;
  const list = <Arguments card={card} wholeShown={wholeShown} onShowWhole={onShowWhole} />;
  return (
    <>
      <Box as="dl" font="small" className={styles.facts}>
        {target ? <Target path={target.text} measures={target.measures} /> : null}
        <Undo card={card} />
        {checked ? (
          <Fact label="Checked">
            {checked.fault ? <TriangleAlert className={look({ tone: 'cautious' }, 'icon')} aria-hidden /> : null}
            <AgentText className={checked.fault ? look({ tone: 'cautious' }) : ''} text={checked.words} />
          </Fact>
        ) : null}
        {/* The arguments of a change are visible as the change. */}
        {card.change ? null : list}
      </Box>
      <Details>
        <LevelFact card={card} />
        {card.change ? list : null}
      </Details>
    </>
  );
}

function Arguments({ card, wholeShown, onShowWhole }: CardFactsProps) {
  const listed = card.arguments.filter(({ place }) => place !== 'claim');
  return (
    <Fact label="Arguments">
      {listed.length === 0 ? <Text tone={2}>none</Text> : null}
      {listed.map(({ name, value, place, size }) => (
        <Row key={name} align="baseline" wrap className={styles.argument}>
          <AgentText className={classes('code', styles.argumentName)} text={name} />
          {place === 'line' ? (
            <AgentText className={look({ shrink: true }, 'code')} text={value === '' ? '""' : value} />
          ) : (
            <Text tone={2}>
              {size}
              {place === 'change' ? null : ', below'}
            </Text>
          )}
          {onShowWhole && place === 'change' ? (
            <Push
              kind="link"
              size="small"
              aria-expanded={wholeShown.includes(name)}
              onClick={() => onShowWhole(name, !wholeShown.includes(name))}
            >
              {wholeShown.includes(name) ? `Hide whole ${visible(name)}` : `Show whole ${visible(name)}`}
            </Push>
          ) : null}
        </Row>
      ))}
    </Fact>
  );
}

/** Shows a file with the known facts about it, including whether the editor has unsaved changes. */
function Target({ path, measures }: { path: string; measures: string }) {
  const unsaved = useUnsaved(path);
  return (
    <Fact label="Target">
      <AgentText className="code" text={path} />
      <Text tone={2}> · {measures}</Text>
      {unsaved === null ? null : unsaved ? (
        <>
          <Text tone={2}> · </Text>
          <Text tone="cautious">has unsaved text in the editor</Text>
        </>
      ) : (
        <Text tone={2}> · no unsaved text in the editor</Text>
      )}
    </Fact>
  );
}

/** Shows whether the request can be undone, and the warning if the card warns of a danger. */
export function Undo({ card: { facts } }: { card: ApprovalCard }) {
  const { undo, level } = facts;
  const danger = (
    <>
      <DangerMark />
      <Text tone="dangerous">Dangerous</Text>
    </>
  );
  return (
    <>
      {level.danger === null || !undo.reversible ? null : (
        <Fact label="Risk">
          {danger}
          <span className={styles.more}>{level.danger}</span>
        </Fact>
      )}
      <Fact label="Undo">
        {undo.reversible ? <Undo2 className="icon" aria-hidden /> : null}
        {level.danger === null || undo.reversible ? null : danger}
        <AgentText
          className={classes(look({ tone: 1 }), undo.reversible ? undefined : styles.more)}
          text={undo.verdict}
        />
        {undo.why ? <AgentText className={styles.more} text={undo.why} /> : null}
      </Fact>
    </>
  );
}

/** Shows the level of the request, which decides whether it needs approval. */
export function LevelFact({ card: { facts } }: { card: ApprovalCard }) {
  const { word, why } = facts.level;
  return (
    <Fact label="Level">
      {word}
      {why ? <span className={styles.more}>{why}</span> : null}
    </Fact>
  );
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
