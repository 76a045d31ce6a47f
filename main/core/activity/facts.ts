/** Turns what the parts of a workbench tell into facts on the activity stream. */
import type { DecidedApproval } from '#contract/approval.ts';
import { PERSON } from '#contract/session.ts';
import type { ApprovalQueue } from '#core/approvals/queue.ts';
import type { Admissions } from '#core/clients/admissions.ts';
import type { Clients } from '#core/clients/clients.ts';
import { summarize, summarizeReport } from '#core/sessions/report.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { Executor } from '#core/tools/execute.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import type { ActivityStream } from './stream.ts';

/** Definitions of one batch that a row names. */
const LISTED = 100;

export interface Tellers {
  readonly sessions: Sessions;
  readonly clients: Clients;
  readonly admissions: Admissions;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly executor: Executor;
}

export function publishFacts(
  activity: ActivityStream,
  { sessions, clients, admissions, approvals, executor }: Tellers,
): void {
  const tellLife = ({ id, events }: Session): void =>
    void events.on('life', ({ change, summary }) =>
      activity.publish({ kind: 'session-changed', actor: PERSON, session: id, change, summary }),
    );
  tellLife(sessions.main);
  sessions.events.on('opened', tellLife);
  clients.events.on('told', ({ actor, change, summary }) =>
    activity.publish({ kind: 'client-changed', actor, change, summary }),
  );
  admissions.events.on('refused', ({ label: name, reason: summary }) => {
    const actor = { id: 'client:unknown', kind: 'client', name } as const;
    activity.publish({ kind: 'client-changed', actor, change: 'refused', summary });
  });
  const tellDefinitions = ({ id, events, definitions }: Session): void =>
    void events.on('definition-events', ({ evaluation, events: changed, more }) => {
      if (changed.length === 0) return;
      const author = changed[0]!.actor;
      activity.publish({
        kind: 'definitions-changed',
        actor: author === PERSON.id ? PERSON : clients.actor(author),
        session: id,
        evaluation,
        definitions: changed.slice(0, LISTED).map(({ id: event, kind, name, package: pkg, operation, undoes }) => ({
          event,
          life: definitions.life,
          kind,
          name,
          package: pkg,
          operation,
          undoes,
        })),
        more: more + Math.max(0, changed.length - LISTED),
      });
    });
  tellDefinitions(sessions.main);
  sessions.events.on('opened', tellDefinitions);
  approvals.events.on('requested', ({ card: { id: approval, actor, tool, headline, rule }, call }) =>
    activity.publish({
      kind: 'approval-requested',
      actor,
      parent: call,
      approval,
      tool,
      summary: headline,
      rule,
    }),
  );
  const tellDecided = ({ decision, call }: { decision: DecidedApproval; call: string }): void => {
    const { id: approval, headline, at: _at, undo: _undo, ...decided } = decision;
    activity.publish({ kind: 'approval-decided', parent: call, approval, summary: headline, ...decided });
  };
  approvals.events.on('decided', tellDecided);
  approvals.events.on('told-unknown', tellDecided);
  executor.hooks.push((phase, tool, args, _result, { actor, id: call, session }, outcome) => {
    if (phase === 'before') {
      const code = tool.name === 'evaluate_lisp' ? summarize(String(args['code'])) : null;
      if (code === null) return;
      activity.publish({
        kind: 'evaluation-started',
        actor,
        session,
        parent: call,
        evaluation: call,
        code,
        origin: 'agent',
      });
    } else if (outcome?.evaluation) {
      const { report } = outcome.evaluation;
      const { evaluation, status } = report;
      const tookMs = report.timing.realMs;
      activity.publish({
        kind: 'evaluation-finished',
        actor,
        session,
        parent: call,
        evaluation,
        status,
        summary: summarizeReport(report),
        tookMs,
      });
    }
  });
}
