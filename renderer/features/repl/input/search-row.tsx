/** The row at the bottom of the REPL while its history is searched. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { commandKeys } from '../../../base/keys/command-registry.ts';
import { endSearch, searchBack, searchForward, setQuery, useReplInput } from './input-store.ts';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { Keys } from '../../../ui/menus/keys.tsx';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import styles from './input.module.css';

export function SearchRow() {
  const search = useReplInput((state) => state.search);
  const history = useReplInput((state) => state.history);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const match = search?.index === null || !search ? undefined : history[search.index];
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys: Record<string, () => void> = {
      Enter: () => endSearch(true),
      Escape: () => endSearch(false),
      ArrowUp: searchBack,
      ArrowDown: searchForward,
      ArrowRight: () => endSearch(true),
    };
    const act = event.ctrlKey && event.key === 'g' ? keys['Escape'] : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const keys = commandKeys('repl.searchHistory');
  return (
    <Stack
      gap={1}
      padY={2}
      padX={4}
      fixed
      edge="top"
      className={styles.row}
      role="group"
      aria-label="History search"
      data-region-focus
    >
      <Row align="start" gap={2}>
        <Text fixed tone={3} font="small">
          Search the history
        </Text>
        <CodeArea
          plain
          area={area}
          label="Search the history"
          value={search?.query ?? ''}
          onChange={(query) => setQuery(query.replaceAll('\n', ''))}
          onKeyDown={onKeyDown}
        />
        <Row inline gap={2} fixed font="small" tone={3} lines="one" className={styles.side}>
          {keys ? <Keys keys={keys} drawn /> : null} older · Enter accepts · Esc cancels
        </Row>
      </Row>
      <Box breaks lines="wrap" scroll className={`${styles.match} code`} role="status">
        {match === undefined ? (
          <Text tone={3}>{search?.query ? 'No match in the history.' : ''}</Text>
        ) : (
          <CodeText text={match} />
        )}
      </Box>
    </Stack>
  );
}
