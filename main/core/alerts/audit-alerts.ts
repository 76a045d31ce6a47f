/**
 * The problems of the audit as alerts: the reason why the audit cannot be written, and findings that remain until the person has seen them.
 */
import type { Audit } from '../activity/audit/audit.ts';
import type { Alerts } from './alerts.ts';

/** The maximum number of findings that one alert lists. */
const LISTED_FINDINGS = 5;

/** Starts to keep the alerts about the audit up to date. */
export function raiseAuditAlerts(audit: Audit, alerts: Alerts): void {
  const tell = (): void => {
    const told = audit.alerts;
    alerts.set('audit', told.find(({ passing }) => passing)?.text ?? null);
    const lasting = told.filter(({ passing }) => !passing).map(({ text }) => text);
    const shown = lasting.slice(0, LISTED_FINDINGS).join(' ');
    const more = lasting.length > LISTED_FINDINGS ? ` And ${lasting.length - LISTED_FINDINGS} more.` : '';
    const seen = { title: 'Seen', run: () => audit.saw(lasting) };
    alerts.set('audit-seen', lasting.length === 0 ? null : shown + more, { seen });
  };
  tell();
  audit.events.on('changed', tell);
}
