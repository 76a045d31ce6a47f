/** One row of the activity list: 28 high, five columns; children carry the guide lines of their parents. */
import { Check, ChevronDown, ChevronRight, CircleX, Hand, OctagonAlert } from 'lucide-react';
import { memo } from 'react';
import { milliseconds } from '../../editor/result-text.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ActorMark, Ring } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import type { ActivityRow } from './model.ts';

export interface ActivityRowProps {
  row: ActivityRow;
  index: number;
  folded: boolean;
  hue: number | null;
  onFold: () => void;
}

export const ActivityRowView = memo(
  function ActivityRowView({ row, index, folded, hue, onFold }: ActivityRowProps) {
    const own = row.depth === 0;
    return (
      <div role="row" aria-rowindex={index + 1} className="activity-row">
        <span role="cell" className="activity-time">
          {own ? clockTime(row.at) : ''}
        </span>
        <span role="cell" className="activity-who">
          {own ? (
            <>
              <ActorMark hue={hue} />
              <span className="ellipsis">{row.actor.name}</span>
            </>
          ) : null}
        </span>
        <span role="cell" className="activity-what">
          {Array.from({ length: row.depth }, (_each, level) => (
            <span key={level} className="guide" aria-hidden />
          ))}
          {row.children > 0 ? (
            <button
              type="button"
              className="fold"
              aria-label={folded ? 'Unfold' : 'Fold'}
              aria-expanded={!folded}
              onClick={onFold}
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
            {row.subject === '' ? null : <span className="code">{row.subject}</span>}
            {row.code === null ? null : (
              <span className="code">
                <CodeText text={oneLine(row.code)} />
              </span>
            )}
            {row.detail === '' ? null : <span className="activity-detail">{row.detail}</span>}
          </span>
          {row.level === 'cautious' ? <span className="activity-level">cautious</span> : null}
          {row.level === 'dangerous' ? (
            <span className="activity-level activity-dangerous">
              <OctagonAlert className="icon-small" aria-hidden />
              dangerous
            </span>
          ) : null}
        </span>
        <span role="cell" className="activity-outcome">
          <OutcomeMark row={row} />
          <span className={row.kind === 'evaluation' ? 'ellipsis code' : 'ellipsis'}>{oneLine(row.outcomeText)}</span>
        </span>
        <span role="cell" className="activity-took">
          {row.tookMs === null ? '' : milliseconds(row.tookMs)}
        </span>
      </div>
    );
  },
  // Rows are made anew at each event; what they say rarely changes.
  (before, after) =>
    before.folded === after.folded &&
    before.hue === after.hue &&
    before.index === after.index &&
    JSON.stringify(before.row) === JSON.stringify(after.row),
);

function OutcomeMark({ row }: { row: ActivityRow }) {
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
