/** The letters at the foot of the browser. Each is a filter too: a click shows only those rows. */
import { ToggleButton } from 'react-aria-components';
import type { DefinitionKind } from '#contract/definition.ts';
import { Hint } from '../../ui/tooltip.tsx';
import { type countKinds, KINDS } from './model.ts';

export interface LegendProps {
  counts: ReturnType<typeof countKinds>;
  kind: DefinitionKind | null;
  onKind: (kind: DefinitionKind | null) => void;
  byAgents: boolean;
  onByAgents: (byAgents: boolean) => void;
}

export function Legend({ counts, kind, onKind, byAgents, onByAgents }: LegendProps) {
  const shown = (Object.keys(KINDS) as DefinitionKind[]).filter(
    (each) => (counts.kinds.get(each) ?? 0) > 0 || each === kind,
  );
  if (counts.total === 0) return null;
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
