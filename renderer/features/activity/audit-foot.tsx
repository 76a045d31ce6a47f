/** The state of the audit on disk: read and checked when the panel opens and whenever it is asked for. */
import { counted } from '#contract/text/text.ts';
import { Link, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AuditState } from '#contract/decisions/activity.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import styles from './panel.module.css';

export function AuditFoot() {
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
        <span>Audit chain whole, {rows}</span>
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
