/** The letters at the foot of the browser. Each is a filter too: a click shows only those rows. */
import { Eye } from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import type { DefinitionKind } from '#contract/definition.ts';
import { Button } from '../../ui/button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { type countKinds, KINDS } from './model.ts';
import { type DeviantState, STATES } from './states.ts';

export interface LegendProps {
  counts: ReturnType<typeof countKinds>;
  kind: DefinitionKind | null;
  onKind: (kind: DefinitionKind | null) => void;
  byAgents: boolean;
  onByAgents: (byAgents: boolean) => void;
  /** How many definitions by agents wait for a review. */
  waiting: number;
  onlyWaiting: boolean;
  onOnlyWaiting: (onlyWaiting: boolean) => void;
  /** How many are not as their files have them. */
  states: ReadonlyMap<DeviantState, number>;
  state: DeviantState | null;
  onState: (state: DeviantState | null) => void;
  /** Files that were not compared. */
  unread: number;
  /** How many of those that wait are shown now, and what marks those. */
  shownWaiting: number;
  onReviewed: () => void;
}

export function Legend({
  counts,
  kind,
  onKind,
  byAgents,
  onByAgents,
  waiting,
  onlyWaiting,
  onOnlyWaiting,
  states,
  state,
  onState,
  unread,
  shownWaiting,
  onReviewed,
}: LegendProps) {
  const shown = (Object.keys(KINDS) as DefinitionKind[]).filter(
    (each) => (counts.kinds.get(each) ?? 0) > 0 || each === kind,
  );
  if (counts.total === 0 && waiting === 0) return null;
  return (
    <footer className="legend" aria-label="Show only" role="group">
      {counts.byAgents > 0 || byAgents ? (
        <ToggleButton className="legend-row" isSelected={byAgents} onChange={onByAgents}>
          <svg className="mark" viewBox="0 0 10 10" aria-hidden>
            <path d="M5 0.4 9.6 5 5 9.6 0.4 5Z" fill="currentColor" />
          </svg>
          <span>By agents</span>
          <span className="legend-count">{counts.byAgents}</span>
        </ToggleButton>
      ) : null}
      {waiting > 0 || onlyWaiting ? (
        <ToggleButton className="legend-row" isSelected={onlyWaiting} onChange={onOnlyWaiting}>
          <Eye className="icon-tiny" aria-hidden />
          <span>{waiting} by agents, not reviewed</span>
        </ToggleButton>
      ) : null}
      {onlyWaiting && shownWaiting > 0 ? (
        <div className="legend-do">
          <Button size="small" onPress={onReviewed}>
            {`Mark ${shownWaiting} as reviewed`}
          </Button>
        </div>
      ) : null}
      {(Object.keys(STATES) as DeviantState[])
        .filter((each) => (states.get(each) ?? 0) > 0 || each === state)
        .map((each) => (
          <ToggleButton
            key={each}
            className="legend-row"
            isSelected={state === each}
            onChange={(selected) => onState(selected ? each : null)}
          >
            <StateMark state={each} />
            <span>{STATES[each].title}</span>
            <span className="legend-count">{states.get(each) ?? 0}</span>
          </ToggleButton>
        ))}
      {unread > 0 ? (
        <p className="legend-note">
          {unread === 1 ? '1 file was' : `${unread} files were`} not compared: too large, or too many.
        </p>
      ) : null}
      <div className="legend-kinds">
        {shown.map((each) => (
          <Hint key={each} text={KINDS[each].title} placement="top">
            <ToggleButton
              className="legend-kind"
              aria-label={`${KINDS[each].title}, ${counts.kinds.get(each) ?? 0}`}
              isSelected={kind === each}
              onChange={(selected) => onKind(selected ? each : null)}
            >
              <span className="definition-letter" data-letter={KINDS[each].letter} />
              <span className="legend-count" data-count={counts.kinds.get(each) ?? 0} />
            </ToggleButton>
          </Hint>
        ))}
      </div>
    </footer>
  );
}
