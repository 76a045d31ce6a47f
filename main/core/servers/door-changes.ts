/** What doors tell their clients without being asked: what is different now, and what is new of a call under way. */
import type { Actor } from '#contract/session.ts';
import type { Agents } from '#core/agents.ts';
import type { ApprovalQueue } from '#core/approvals/queue.ts';
import type { Clients } from '#core/clients/clients.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { Executor } from '#core/tools/execute.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import type { DoorChange } from './door.ts';
import type { CallNews } from './mcp/progress.ts';
import { RESOURCES } from './mcp/resources.ts';

export interface ChangeSources {
  readonly clients: Clients;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly executor: Executor;
  readonly events: { on(name: 'project-changed', listener: () => void): () => void };
}

/** Changes of the same resource within this time are told once. */
const GATHER_MS = 500;

/** Calls `listener` at what changes for one client; returns the function that ends it. */
export function watchForDoor(
  { clients, agents, sessions, executor, events }: ChangeSources,
  actor: Actor,
  listener: (change: DoorChange) => void,
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
  const onCall: Executor['hooks'][number] = (phase, _tool, _args, _result, call, outcome) => {
    if (call.actor.id !== actor.id || phase === 'before') return;
    updated(RESOURCES.activity);
    if (outcome?.evaluation) updated(RESOURCES.history);
  };
  executor.hooks.push(onCall);
  const follow = (session: Session): (() => void) => {
    const changed = (): void => {
      if (agents.worksIn(actor, session)) updated(RESOURCES.definitions);
    };
    const ends = [session.events.on('definitions-changed', changed), session.events.on('life', changed)];
    return () => ends.forEach((end) => end());
  };
  const stops: (() => unknown)[] = [
    clients.events.on('profile-changed', ({ id }) => id === actor.id && listener('tools')),
    ...sessions.all.map(follow),
    sessions.events.on('opened', (session) => stops.push(follow(session))),
    events.on('project-changed', () => listener('resources')),
    () => executor.hooks.splice(executor.hooks.indexOf(onCall), 1),
  ];
  let watching = true;
  return () => {
    if (!watching) return;
    watching = false;
    for (const stop of stops) stop();
    for (const timer of gathered.values()) clearTimeout(timer);
  };
}

/** Tells `news` of one call: that it waits for a person, and how far a load of a system is. Returns what ends it. */
export function tellNews(
  session: Session,
  approvals: ApprovalQueue<ToolOutcome>,
  call: string,
  news: (news: CallNews) => void,
): () => void {
  const stops = [
    approvals.events.on('requested', ({ card, call: of }) => {
      if (of === call) news({ message: `A person is asked: ${card.headline}` });
    }),
    session.events.on('system-progress', ({ evaluation, action, component, done, total }) => {
      if (evaluation === call) news({ message: `${action} ${component}`, done, total });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
