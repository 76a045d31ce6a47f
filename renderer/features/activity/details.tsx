/** The details of the selected row, beside the list and above the state of the audit. */
import { RowDetails } from './row-details.tsx';
import type { ActivityRow } from './row-model.ts';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { counted } from '#contract/text/text.ts';
import { Link, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AuditState } from '#contract/decisions/activity.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
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
            Select a row to see its details.
          </Text>
        ) : (
          <RowDetails key={row.id} row={row} within={within} onSelect={onSelect} />
        )}
      </Box>
      <AuditFoot />
    </Stack>
  );
}

/** Shows the state of the audit on disk. It is checked when the panel opens and on request. */
function AuditFoot() {
  const [state, setState] = useState<AuditState | null>(null);
  const verify = (): void => void orNotice(call('activity.verify', {}).then(setState));
  useEffect(verify, []);
  const rows = state ? counted(state.rows, 'event') : '';
  return (
    <Row as="footer" gap={2} fixed font="small" tone={3} edge="top" className={styles.auditFoot}>
      <Link className="icon-small" aria-hidden />
      {state === null ? (
        <span>Checking the audit chain…</span>
      ) : state.problem === null ? (
        <span>Audit chain intact, {rows}</span>
      ) : (
        <Text tone="error">{state.problem}</Text>
      )}
      {state?.hash ? <Text end className="code">{`${state.hash.slice(0, 4)}…${state.hash.slice(-4)}`}</Text> : null}
      <IconButton label="Check the audit chain" placement="top" onPress={verify}>
        <RefreshCw className="icon-small" aria-hidden />
      </IconButton>
    </Row>
  );
}
