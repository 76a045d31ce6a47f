/** Publishes events of the workbench's components as facts on the activity stream. */
import { UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import type { DecidedApproval } from '#contract/decisions/approval.ts';
import type { DefinitionEvent } from '#contract/image/definition.ts';
import { EMACS, knownActor, PERSON, WORKBENCH } from '#contract/clients/known-actors.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { Pairing } from '#core/clients/pairing.ts';
import type { Clients } from '#core/clients/clients.ts';
import { summarize, summarizeReport } from '#core/sessions/report.ts';
import type { Session } from '#core/sessions/session.ts';
import type { LifecycleChange } from '#core/sessions/supervisor/recovery.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { Emitter } from '#core/base/emitter.ts';
import type { CallEvents } from '#core/tools/executor/caller.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import type { ActivityStream } from './stream.ts';

/** The maximum number of definitions that a row lists from one batch. */
const LISTED = 100;

export interface Tellers {
  readonly sessions: Sessions;
  readonly clients: Clients;
  readonly pairing: Pairing;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly calls: Emitter<CallEvents>;
}

/** Changes of an image that happen without a request by an actor. */
const BY_ITSELF: ReadonlySet<LifecycleChange['change']> = new Set(['started', 'ended', 'failed']);

export function publishFacts(
  activity: ActivityStream,
  { sessions, clients, pairing, approvals, calls }: Tellers,
): void {
  const recordLifecycle = ({ id, events }: Session): void =>
    void events.on('lifecycle', ({ change, summary }) =>
      activity.publish({
        kind: 'session-changed',
        actor: BY_ITSELF.has(change) ? WORKBENCH : PERSON,
        session: id,
        change,
        summary,
      }),
    );
  recordLifecycle(sessions.main);
  sessions.events.on('opened', recordLifecycle);
  clients.events.on('told', ({ actor, change, summary }) =>
    activity.publish({ kind: 'client-changed', actor, change, summary }),
  );
  pairing.events.on('refused', ({ label: name, reason: summary }) => {
    const actor = { id: UNKNOWN_CLIENT, kind: 'client', name } as const;
    activity.publish({ kind: 'client-changed', actor, change: 'refused', summary });
  });
  const recordDefinitions = ({ id, events, definitions }: Session): void =>
    void events.on('definition-events', ({ evaluation, events: changed, more }) => {
      // A batch can also contain definitions that an agent's timer or another thread created in the meantime.
      for (const [index, own] of byActor(changed).entries())
        activity.publish({
          kind: 'definitions-changed',
          actor: knownActor(own[0]!.actor) ?? clients.actor(own[0]!.actor),
          session: id,
          evaluation,
          definitions: own.slice(0, LISTED).map(({ id: event, kind, name, package: pkg, operation, undoes }) => ({
            event,
            life: definitions.life,
            kind,
            name,
            package: pkg,
            operation,
            undoes,
          })),
          more: (index === 0 ? more : 0) + Math.max(0, own.length - LISTED),
        });
    });
  const recordEmacs = ({ id, events }: Session): void => {
    events.on('swank-evaluation-started', ({ evaluation, code }) =>
      activity.publish({
        kind: 'evaluation-started',
        actor: EMACS,
        session: id,
        evaluation,
        code: summarize(code),
        origin: 'emacs',
      }),
    );
    events.on('swank-evaluation-finished', ({ evaluation, ok, realMs: tookMs }) => {
      const status = ok ? 'ok' : 'interrupted';
      const summary = ok ? 'its values are in Emacs' : 'ended in Emacs before it finished';
      activity.publish({ kind: 'evaluation-finished', actor: EMACS, session: id, evaluation, status, summary, tookMs });
    });
  };
  recordEmacs(sessions.main);
  sessions.events.on('opened', recordEmacs);
  recordDefinitions(sessions.main);
  sessions.events.on('opened', recordDefinitions);
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
  const recordDecided = ({ decision, call }: { decision: DecidedApproval; call: string }): void => {
    const { id: approval, headline, at: _at, undo: _undo, ...decided } = decision;
    activity.publish({ kind: 'approval-decided', parent: call, approval, summary: headline, ...decided });
  };
  approvals.events.on('decided', recordDecided);
  approvals.events.on('outcome-unknown', recordDecided);
  calls.on('started', ({ id, tool, args, actor, session }) => {
    if (tool.name !== 'evaluate_lisp') return;
    const code = summarize(String(args['code']));
    const of = { actor, session, parent: id, evaluation: id };
    activity.publish({ kind: 'evaluation-started', ...of, code, origin: 'agent' });
  });
  calls.on('ended', ({ id, tool, actor, session, outcome, result }) => {
    if (!outcome?.evaluation) {
      // A call of `evaluate_lisp` is announced as an evaluation, even if it is denied or fails before its code runs. In that case, the
      // evaluation ends here.
      const { status } = result.metadata;
      if (tool.name !== 'evaluate_lisp' || (status !== 'denied' && status !== 'failed')) return;
      const of = { actor, session, parent: id, evaluation: id };
      activity.publish({ kind: 'evaluation-finished', ...of, status: 'error', summary: 'did not run', tookMs: 0 });
      return;
    }
    const { report } = outcome.evaluation;
    const { evaluation, status } = report;
    const tookMs = report.timing.realMs;
    const of = { actor, session, parent: id, evaluation };
    activity.publish({ kind: 'evaluation-finished', ...of, status, summary: summarizeReport(report), tookMs });
  });
}

function byActor(events: readonly DefinitionEvent[]): DefinitionEvent[][] {
  return [...new Set(events.map(({ actor }) => actor))].map((id) => events.filter(({ actor }) => actor === id));
}
