/** The selected row in full, beside the rows, above the state of the audit. */
import { RowDetails } from './row-details.tsx';
import type { ActivityRow } from './row-model.ts';
import { Box, Stack, Text } from '../../ui/layout.tsx';
import { AuditFoot } from './audit-foot.tsx';
import styles from './panel.module.css';

export interface DetailsProps {
  row: ActivityRow | null;
  within: ActivityRow | null;
  onSelect: (row: ActivityRow) => void;
}

export function Details({ row, within, onSelect }: DetailsProps) {
  return (
    <Stack as="aside" fixed surface={1} className={styles.details} aria-label="Selected row">
      <Box grow scroll>
        {row === null ? (
          <Text as="p" padY={4} padX={4} tone={3} className={styles.detailsNone}>
            Select a row to see all of it.
          </Text>
        ) : (
          <RowDetails key={row.id} row={row} within={within} onSelect={onSelect} />
        )}
      </Box>
      <AuditFoot />
    </Stack>
  );
}
