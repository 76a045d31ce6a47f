/** One row of the activity list: 28 high, five columns; children carry the guide lines of their parents. */
import { Check, ChevronDown, ChevronRight, CircleX, Flag, Hand, OctagonAlert, Undo2 } from 'lucide-react';
import { memo } from 'react';
import { milliseconds } from '../../editor/result-text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ActorMark, Ring } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { actionsFor } from './actions.ts';
import type { ActivityRow } from './row-model.ts';

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
    const look = `activity-row${row.checkpoint ? ' activity-checkpoint' : ''}${row.undone ? ' activity-undone' : ''}`;
    return (
      // The list has the keys for it.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        id={id}
        role="row"
        aria-rowindex={index + 1}
        aria-level={row.depth + 1}
        aria-selected={selected}
        {...(row.children > 0 ? { 'aria-expanded': !folded } : {})}
        className={look}
        onClick={() => onSelect(row)}
      >
        <span role="gridcell" className="activity-time">
          {own && !row.checkpoint ? clockTime(row.at) : ''}
        </span>
        {row.checkpoint ? (
          <span role="gridcell" className="checkpoint-line">
            <Flag className="icon-small" aria-hidden />
            <span className="checkpoint-word">Checkpoint</span>
            <span className="ellipsis">
              {row.detail} · {clockTime(row.at)}
            </span>
            <span className="checkpoint-rule" />
            <First row={row} quiet={!selected} />
          </span>
        ) : (
          <>
            <span role="gridcell" className="activity-who" title={own ? row.actor.name : undefined}>
              {own ? (
                <>
                  <ActorMark hue={hue} />
                  <span className="ellipsis">{row.actor.name}</span>
                </>
              ) : null}
            </span>
            <What row={row} folded={folded} onFold={onFold} />
            <span role="gridcell" className="activity-outcome">
              <OutcomeMark row={row} />
              <span className={row.kind === 'evaluation' ? 'ellipsis code' : 'ellipsis'}>
                {oneLine(row.outcomeText)}
              </span>
              {selected ? <First row={row} quiet={false} /> : null}
            </span>
            <span role="gridcell" className="activity-took">
              {row.tookMs === null ? '' : milliseconds(row.tookMs)}
            </span>
          </>
        )}
      </div>
    );
  },
  // A row that grew is another object; who is told of a click never changes what is drawn.
  (before, after) =>
    before.row === after.row &&
    before.folded === after.folded &&
    before.selected === after.selected &&
    before.hue === after.hue &&
    before.index === after.index,
);

function What({ row, folded, onFold }: Pick<ActivityRowProps, 'row' | 'folded' | 'onFold'>) {
  return (
    <span role="gridcell" className="activity-what">
      {Array.from({ length: row.depth }, (_each, level) => (
        <span key={level} className="guide" aria-hidden />
      ))}
      {row.children > 0 ? (
        <button
          type="button"
          className="fold"
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
        </button>
      ) : (
        <span className="fold" aria-hidden />
      )}
      <span className="activity-kind">{row.kind}</span>
      <span className="ellipsis activity-subject">
        {row.definition ? <span className="activity-detail">{row.detail}</span> : null}
        {row.subject === '' ? null : <span className="code">{row.subject}</span>}
        {row.code === null ? null : (
          <span className="code">
            <CodeText text={oneLine(row.code)} />
          </span>
        )}
        {row.detail === '' || row.definition ? null : <span className="activity-detail">{row.detail}</span>}
      </span>
      {row.level === 'cautious' ? <span className="activity-level">cautious</span> : null}
      {row.level === 'dangerous' ? (
        <span className="activity-level activity-dangerous">
          <OctagonAlert className="icon-small" aria-hidden />
          dangerous
        </span>
      ) : null}
    </span>
  );
}

/** The first of what can be done about it, in a word. */
function First({ row, quiet }: { row: ActivityRow; quiet: boolean }) {
  const action = actionsFor(row).find(({ id }) => id === (row.checkpoint ? 'back' : 'undo'));
  if (!action) return null;
  return (
    <span className={quiet ? 'row-action row-action-quiet' : 'row-action'}>
      <Button kind="link" size="small" excludeFromTabOrder onPress={action.run}>
        {row.checkpoint ? 'Go back to here…' : 'Undo'}
      </Button>
    </span>
  );
}

function OutcomeMark({ row }: { row: ActivityRow }) {
  if (row.undone) return <Undo2 className="icon-small" aria-hidden />;
  if (row.decidedByPerson) return <ActorMark hue={null} />;
  if (row.outcome === 'running') return <Ring />;
  if (row.outcome === 'waiting') return <Hand className="icon-small waiting-mark" aria-hidden />;
  if (row.outcome === 'bad') return <CircleX className="icon-small error-mark" aria-hidden />;
  if (row.outcome === 'good' && row.kind !== 'evaluation')
    return <Check className="icon-small good-mark" aria-hidden />;
  return null;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
