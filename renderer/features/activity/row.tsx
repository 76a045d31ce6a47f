/** A row of the activity list: 28 pixels high, five columns. Child rows have the guide lines of their parents. */
import { counted, oneLine } from '#contract/text/text.ts';
import { Check, ChevronDown, ChevronRight, CircleX, Flag, Hand, OctagonAlert, Undo2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { visible } from '#contract/text/visible.ts';
import { useMirror } from '../../base/mirror.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ActorMark, Ring } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { actionsFor } from './row-actions.ts';
import type { ActivityRow } from './row-model.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './row.module.css';

export interface ActivityRowProps {
  id: string;
  row: ActivityRow;
  index: number;
  folded: boolean;
  selected: boolean;
  hue: number | null;
  onFold: (row: ActivityRow) => void;
  onSelect: (row: ActivityRow) => void;
}

export const ActivityRowView = memo(
  function ActivityRowView({ id, row, index, folded, selected, hue, onFold, onSelect }: ActivityRowProps) {
    const own = row.depth === 0;
    const suspended = useSuspended(row, folded);
    return (
      // The list handles keys on behalf of its rows.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        id={id}
        role="row"
        aria-rowindex={index + 1}
        aria-level={row.depth + 1}
        aria-selected={selected}
        {...(row.children > 0 ? { 'aria-expanded': !folded } : {})}
        className={look({ padX: 4, font: 'small', list: true }, styles.row, row.undone ? styles.undone : undefined)}
        onClick={() => onSelect(row)}
      >
        <Text role="gridcell" tone={3} lines="one">
          {own && !row.checkpoint ? clockTime(row.at) : ''}
        </Text>
        {row.checkpoint ? (
          <Row
            role="gridcell"
            as="span"
            gap={2}
            shrink
            tone={2}
            className={classes(styles.checkpointLine, own ? undefined : styles.within)}
          >
            <Flag className="icon-small" aria-hidden />
            <Text font="small-strong" tone={1}>
              Checkpoint
            </Text>
            <Truncate>
              {row.detail} · {clockTime(row.at)}
            </Truncate>
            <Text grow className={styles.checkpointRule} />
            <First row={row} quiet={!selected} />
          </Row>
        ) : (
          <>
            <Row
              role="gridcell"
              as="span"
              gap="mark"
              shrink
              className={styles.who}
              title={own ? row.actor.name : undefined}
            >
              {own ? (
                <>
                  <ActorMark hue={hue} />
                  <Truncate>{visible(row.actor.name)}</Truncate>
                </>
              ) : null}
            </Row>
            <What row={row} folded={folded} onFold={onFold} />
            <Row role="gridcell" as="span" gap="mark" shrink>
              <OutcomeMark row={row} suspended={suspended !== null} />
              <span className={row.kind === 'evaluation' ? look({ truncate: true }, 'code') : look({ truncate: true })}>
                {shortLine(suspended ?? row.outcomeText)}
              </span>
              {selected ? <First row={row} quiet={false} /> : null}
            </Row>
            <Text role="gridcell" tone={3} lines="one" className={styles.took}>
              {row.tookMs === null ? '' : milliseconds(row.tookMs)}
            </Text>
          </>
        )}
      </div>
    );
  },
  // A row that has grown is a new object. Do not compare the click handlers, because they never change the drawing.
  (before, after) =>
    before.row === after.row &&
    before.folded === after.folded &&
    before.selected === after.selected &&
    before.hue === after.hue &&
    before.index === after.index,
);

function What({ row, folded, onFold }: Pick<ActivityRowProps, 'row' | 'folded' | 'onFold'>) {
  return (
    <Row role="gridcell" as="span" shrink tall="full">
      {Array.from({ length: row.depth }, (_each, level) => (
        <Text key={level} fixed tall="full" className={styles.guide} aria-hidden />
      ))}
      {row.children > 0 ? (
        <Row
          type="button"
          as="button"
          inline
          justify="center"
          fixed
          tone={3}
          round="inline"
          className={styles.fold}
          tabIndex={-1}
          aria-label={folded ? 'Unfold' : 'Fold'}
          onClick={(event) => {
            event.stopPropagation();
            onFold(row);
          }}
        >
          {folded ? (
            <ChevronRight className="icon-tiny" aria-hidden />
          ) : (
            <ChevronDown className="icon-tiny" aria-hidden />
          )}
        </Row>
      ) : (
        <Row as="span" inline justify="center" fixed tone={3} round="inline" className={styles.fold} aria-hidden />
      )}
      <Text fixed tone={3} className={styles.kind}>
        {row.kind}
      </Text>
      <Truncate className={styles.subject}>
        {row.definition ? <Text tone={2}>{shown(row.detail)}</Text> : null}
        {row.subject === '' ? null : <span className="code">{shown(row.subject)}</span>}
        {row.code === null ? null : (
          <span className="code">
            <CodeText text={shortLine(row.code)} />
          </span>
        )}
        {row.detail === '' || row.definition ? null : <Text tone={2}>{shown(row.detail)}</Text>}
      </Truncate>
      {folded && row.brief && row.brief.definitions > 0 ? (
        <Text fixed tone={3} className={styles.level}>
          {counted(row.brief.definitions, 'definition')}
        </Text>
      ) : null}
      {row.level === 'cautious' ? (
        <Row as="span" inline gap={1} fixed className={styles.level}>
          cautious
        </Row>
      ) : null}
      {row.level === 'dangerous' ? (
        <Row as="span" inline gap={1} fixed className={classes(styles.level, styles.dangerous)}>
          <OctagonAlert className="icon-small" aria-hidden />
          <span className={styles.levelWord}>dangerous</span>
        </Row>
      ) : null}
    </Row>
  );
}

/** Draws the button of the row's first action. */
function First({ row, quiet }: { row: ActivityRow; quiet: boolean }) {
  const action = actionsFor(row).find(({ id }) => id === (row.checkpoint ? 'back' : 'undo'));
  if (!action) return null;
  return (
    <span
      className={quiet ? look({ fixed: true, end: true }, styles.rowActionQuiet) : look({ fixed: true, end: true })}
    >
      <Button kind="link" size="small" excludeFromTabOrder onPress={action.run}>
        {row.checkpoint ? 'Go back to here…' : 'Undo'}
      </Button>
    </span>
  );
}

/** Returns text that explains why an evaluation, or that of a folded call, is suspended; null for any other row. */
function useSuspended({ kind, outcome, run, brief }: ActivityRow, folded: boolean): string | null {
  const own = kind === 'evaluation' && outcome === 'running' ? run : null;
  const suspended = folded && brief ? brief.evaluation : own;
  return useMirror(({ debuggers, session: { effects } }) => {
    if (suspended === null) return null;
    if (effects.some(({ evaluation }) => evaluation === suspended)) return 'waits for you';
    return debuggers.debuggers.some(({ evaluation }) => evaluation === suspended) ? 'in the debugger' : null;
  });
}

function OutcomeMark({ row, suspended }: { row: ActivityRow; suspended: boolean }) {
  if (suspended) return <Hand className="icon-small waiting-mark" aria-hidden />;
  if (row.undone) return <Undo2 className="icon-small" aria-hidden />;
  if (row.decidedByPerson) return <ActorMark hue={null} />;
  if (row.outcome === 'running') return <Ring />;
  if (row.outcome === 'waiting') return <Hand className="icon-small waiting-mark" aria-hidden />;
  if (row.outcome === 'bad') return <CircleX className="icon-small error-mark" aria-hidden />;
  if (row.outcome === 'good' && row.kind !== 'evaluation')
    return <Check className="icon-small good-mark" aria-hidden />;
  return null;
}

/** Draws a name from an agent or a file as the cards do: from left to right, with hidden characters as code points. */
function shown(text: string): ReactNode {
  return <bdo dir="ltr">{visible(text)}</bdo>;
}

function shortLine(text: string): string {
  const line = oneLine(text);
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
