/** The card for a restart that a client proposes, if its mode requires approval: the error, the restart and its arguments. */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import type { CardFacts } from '#core/approvals/request.ts';
import { summarize } from '#core/sessions/report.ts';
import type { Session } from '#core/sessions/session.ts';

type Restart = DebuggerRecord['restarts'][number];

const REVERSIBLE = 'Reversible: definitions can be undone, and effects outside the image ask separately';

/** Returns the state to which an approval is bound: the restart, and the stop in the debugger at which it was offered. */
export function restartState({ id }: Session, record: DebuggerRecord, { index, name, report }: Restart): string {
  return JSON.stringify([id, record.id, index, name, report]);
}

export function restartCard(
  session: Session,
  record: DebuggerRecord,
  chosen: Restart,
  forms: readonly string[],
  claim: string | null,
): CardFacts {
  const { index, name, report } = chosen;
  return {
    headline: `Take restart ${index}${name === null ? '' : `, ${name},`} in the debugger: ${summarize(report)}`,
    arguments: [
      { name: 'error', value: `${record.type}: ${record.message}` },
      { name: 'restart', value: `${index}: [${name ?? 'unnamed'}] ${report}` },
      ...forms.map((value, at) => ({ name: forms.length > 1 ? `argument ${at + 1}` : 'argument', value })),
    ],
    editable: null,
    change: null,
    reversible: REVERSIBLE,
    claim,
    proposal: { image: session.id, debugger: record.id, restart: index, forms: [...forms] },
    targetState: restartState(session, record, chosen),
  };
}

/** Returns the card of RETRY, which runs the failed code again. */
export function retryCard(code: string, claim: string | null): CardFacts {
  return {
    headline: 'Evaluate the failed code again and hold its error in the debugger',
    arguments: [{ name: 'code', value: code }],
    editable: null,
    change: null,
    reversible: REVERSIBLE,
    claim,
    targetState: JSON.stringify(['retry', code]),
  };
}
