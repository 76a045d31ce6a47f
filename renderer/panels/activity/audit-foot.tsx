/** How the record on disk stands: read and checked when the panel opens and whenever it is asked for. */
import { Link, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AuditState } from '#contract/activity.ts';
import { call } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

export function AuditFoot() {
  const [state, setState] = useState<AuditState | null>(null);
  const verify = (): void => void orNotice(call('activity.verify', {}).then(setState));
  useEffect(verify, []);
  const rows = state ? `${state.rows.toLocaleString('en')} ${state.rows === 1 ? 'event' : 'events'}` : '';
  return (
    <footer className="audit-foot">
      <Link className="icon-small" aria-hidden />
      {state === null ? (
        <span>Checking the audit chain…</span>
      ) : state.problem === null ? (
        <span>Audit chain whole, {rows}</span>
      ) : (
        <span className="audit-broken">{state.problem}</span>
      )}
      {state?.hash ? (
        <span className="code audit-hash">{`${state.hash.slice(0, 4)}…${state.hash.slice(-4)}`}</span>
      ) : null}
      <IconButton label="Check the audit chain" placement="top" onPress={verify}>
        <RefreshCw className="icon-small" aria-hidden />
      </IconButton>
    </footer>
  );
}
