/** The facts of a request: its target, its level, whether it can be undone, and all its arguments. */
import { CircleSlash, OctagonAlert, TriangleAlert, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { AgentText } from './agent-text.tsx';
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
  const listed = card.arguments.filter(({ place }) => place !== 'claim');
  return (
    <Box as="dl" font="small" className={styles.facts}>
      {target ? <Target path={target.text} measures={target.measures} /> : null}
      <LevelAndUndo card={card} />
      {checked ? (
        <Fact label="Checked">
          {checked.fault ? <TriangleAlert className={look({ tone: 'cautious' }, 'icon')} aria-hidden /> : null}
          <AgentText className={checked.fault ? look({ tone: 'cautious' }) : ''} text={checked.words} />
        </Fact>
      ) : null}
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
    </Box>
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

export function LevelAndUndo({ card: { level, facts } }: { card: ApprovalCard }) {
  const { undo } = facts;
  return (
    <>
      <Fact label="Level">
        <LevelMark level={level} />
        <span className={look(level === 'safe' ? {} : { tone: level })}>{facts.level.word}</span>
        {facts.level.why ? <span className={styles.more}>{facts.level.why}</span> : null}
      </Fact>
      <Fact label="Undo">
        {undo.reversible ? <Undo2 className="icon" aria-hidden /> : <CircleSlash className="icon" aria-hidden />}
        <AgentText className={look({ tone: 1 })} text={undo.verdict} />
        {undo.why ? <AgentText className={styles.more} text={undo.why} /> : null}
      </Fact>
    </>
  );
}

/** The symbol of a level. `label` is its accessible name, used if no text is shown beside it. */
export function LevelMark({ level, label }: { level: ApprovalCard['level']; label?: string }) {
  if (level === 'safe') return null;
  const Icon = level === 'dangerous' ? OctagonAlert : TriangleAlert;
  const name = label === undefined ? { 'aria-hidden': true as const } : { role: 'img', 'aria-label': label };
  return <Icon className={look({ tone: level }, 'icon')} {...name} />;
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
