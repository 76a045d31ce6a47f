/** The letters at the bottom of the browser. Each is also a filter: a click shows only the rows with that letter. */
import { plural } from '#contract/text/text.ts';
import { Eye } from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import type { DefinitionKind } from '#contract/image/definition.ts';
import { Button } from '../../../ui/button.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { type countKinds, KINDS } from '../definition-rows.ts';
import { type DeviantState, STATES } from '../states.ts';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import styles from './definitions.module.css';

export interface LegendProps {
  counts: ReturnType<typeof countKinds>;
  kind: DefinitionKind | null;
  onKind: (kind: DefinitionKind | null) => void;
  byAgents: boolean;
  onByAgents: (byAgents: boolean) => void;
  /** The number of agents' definitions that are waiting for a review. */
  waiting: number;
  onlyWaiting: boolean;
  onOnlyWaiting: (onlyWaiting: boolean) => void;
  /** The number of definitions that differ from their files, by state. */
  states: ReadonlyMap<DeviantState, number>;
  state: DeviantState | null;
  onState: (state: DeviantState | null) => void;
  /** The number of files that were not compared. */
  unread: number;
  /** The number of shown definitions that are waiting for a review; `onReviewed` marks them as reviewed. */
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
  const countOf = (each: DefinitionKind): string => (counts.kinds.get(each) ?? 0).toLocaleString('en');
  if (counts.total === 0 && waiting === 0) return null;
  return (
    <Stack
      as="footer"
      gap={1}
      padY={2}
      padX={3}
      fixed
      font="small"
      tone={2}
      edge="top"
      className={styles.legend}
      aria-label="Show only"
      role="group"
    >
      {counts.byAgents > 0 || byAgents ? (
        <ToggleButton
          className={look({ flow: 'row', gap: 2, padX: 1, tall: 'small', round: 'inline' }, styles.legendRow)}
          isSelected={byAgents}
          onChange={onByAgents}
        >
          <svg className="mark" viewBox="0 0 10 10" aria-hidden>
            <path d="M5 0.4 9.6 5 5 9.6 0.4 5Z" fill="currentColor" />
          </svg>
          <span>By agents</span>
          <Text tone={3} className={styles.legendCount}>
            {counts.byAgents.toLocaleString('en')}
          </Text>
        </ToggleButton>
      ) : null}
      {waiting > 0 || onlyWaiting ? (
        <ToggleButton
          className={look({ flow: 'row', gap: 2, padX: 1, tall: 'small', round: 'inline' }, styles.legendRow)}
          isSelected={onlyWaiting}
          onChange={onOnlyWaiting}
        >
          <Eye className="icon-tiny" aria-hidden />
          <span>{waiting.toLocaleString('en')} by agents, not reviewed</span>
        </ToggleButton>
      ) : null}
      {onlyWaiting && shownWaiting > 0 ? (
        <Row align="stretch" className={styles.legendDo}>
          <Button size="small" onPress={onReviewed}>
            {`Mark ${shownWaiting} as reviewed`}
          </Button>
        </Row>
      ) : null}
      {(Object.keys(STATES) as DeviantState[])
        .filter((each) => (states.get(each) ?? 0) > 0 || each === state)
        .map((each) => (
          <ToggleButton
            key={each}
            className={look({ flow: 'row', gap: 2, padX: 1, tall: 'small', round: 'inline' }, styles.legendRow)}
            isSelected={state === each}
            onChange={(selected) => onState(selected ? each : null)}
          >
            <StateMark state={each} />
            <span>{STATES[each].title}</span>
            <Text tone={3} className={styles.legendCount}>
              {(states.get(each) ?? 0).toLocaleString('en')}
            </Text>
          </ToggleButton>
        ))}
      {unread > 0 ? (
        <Text as="p" padX={1} tone={3}>
          {plural(unread, 'file was', 'files were')} not compared (too large, or too many files).
        </Text>
      ) : null}
      {counts.listed < counts.total ? (
        <Text as="p" padX={1} tone={3}>
          {counts.listed.toLocaleString('en')} of {counts.total.toLocaleString('en')} definitions are listed and counted
          here.
        </Text>
      ) : null}
      <Row align="stretch" wrap gap="half">
        {shown.map((each) => (
          <Hint key={each} text={KINDS[each].title} placement="top">
            <ToggleButton
              className={look(
                { flow: 'row', inline: true, gap: 1, padX: 'mark', tall: 'small', round: 'inline' },
                styles.legendKind,
              )}
              aria-label={`${KINDS[each].title}, ${countOf(each)}`}
              isSelected={kind === each}
              onChange={(selected) => onKind(selected ? each : null)}
            >
              <Text fixed font="code" tone={3} className={styles.letter} data-letter={KINDS[each].letter} />
              <Text tone={3} className={styles.legendCount} data-count={countOf(each)} />
            </ToggleButton>
          </Hint>
        ))}
      </Row>
    </Stack>
  );
}
