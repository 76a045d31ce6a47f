/** Notifications that transports send to their clients: changes, and the progress of a running call. */
import type { Actor } from '#contract/image/session.ts';
import type { Agents } from '#core/agents.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { Clients } from '#core/clients/clients.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { Executor } from '#core/tools/executor/executor.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import type { ChangeNotice } from './host.ts';
import type { CallProgress } from './mcp/questions/progress.ts';
import { RESOURCES } from './mcp/content/resource-uris.ts';

export interface ChangeSources {
  readonly clients: Clients;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly executor: Executor;
  readonly events: { on(name: 'project-changed', listener: () => void): () => void };
}

/** Sent to clients that are waiting for an image while its core is being built. */
export const BUILDING = 'The core that images start from is being built, once for this SBCL: this takes some seconds';

/** Several changes of the same resource within this time, in milliseconds, cause only one notification. */
const GATHER_MS = 500;

/** Calls `listener` for each change that concerns a client. Returns a function that stops the calls. */
export function watchChanges(
  { clients, agents, sessions, executor, events }: ChangeSources,
  actor: Actor,
  listener: (change: ChangeNotice) => void,
): () => void {
  const gathered = new Map<string, NodeJS.Timeout>();
  const updated = (resource: string): void => {
    if (gathered.has(resource)) return;
    const timer = setTimeout(() => {
      gathered.delete(resource);
      listener({ resource });
    }, GATHER_MS).unref();
    gathered.set(resource, timer);
  };
  const follow = (session: Session): (() => void) => {
    const changed = (): void => {
      if (agents.worksIn(actor, session)) updated(RESOURCES.definitions);
    };
    const ends = [session.events.on('definitions-changed', changed), session.events.on('lifecycle', changed)];
    return () => ends.forEach((end) => end());
  };
  const stops: (() => unknown)[] = [
    clients.events.on('profile-changed', ({ id }) => id === actor.id && listener('tools')),
    ...sessions.all.map(follow),
    sessions.events.on('opened', (session) => stops.push(follow(session))),
    events.on('project-changed', () => listener('resources')),
    executor.events.on('ended', (call) => {
      if (call.actor.id !== actor.id) return;
      updated(RESOURCES.activity);
      if (call.outcome?.evaluation) updated(RESOURCES.history);
    }),
  ];
  let watching = true;
  return () => {
    if (!watching) return;
    watching = false;
    for (const stop of stops) stop();
    for (const timer of gathered.values()) clearTimeout(timer);
  };
}

/**
 * Reports the progress of one call: the build of the core, a wait for a person, and the steps of a system load. Returns a function that
 * stops the reports.
 */
export function reportCallProgress(
  session: Session,
  approvals: ApprovalQueue<ToolOutcome>,
  call: string,
  onProgress: (progress: CallProgress) => void,
): () => void {
  let building = false;
  const look = (): void => {
    const before = building;
    building = session.building;
    if (building && !before) onProgress({ message: BUILDING });
  };
  look();
  const stops = [
    session.events.on('changed', look),
    approvals.events.on('requested', ({ card, call: of }) => {
      if (of === call) onProgress({ message: `Waiting for the decision of a person: ${card.headline}` });
    }),
    session.events.on('system-progress', ({ evaluation, action, component, done, total }) => {
      if (evaluation === call) onProgress({ message: `${action} ${component}`, done, total });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
