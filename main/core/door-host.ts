/** What doors see of the workbench: tools, resources, and who a client is. */
import { randomUUID } from 'node:crypto';
import type { ToolCall, ToolResult } from '#contract/tool.ts';
import type { ActivityStream } from './activity/stream.ts';
import type { Agents } from './agents.ts';
import type { ClientPolicy } from './approvals/policy.ts';
import type { ApprovalQueue } from './approvals/queue.ts';
import type { RuleBook } from './approvals/rules.ts';
import type { Project } from './project/project.ts';
import { Resources } from './resources.ts';
import type { CallOptions, DoorHost } from './servers/door.ts';
import { tellNews, watchForDoor, type ChangeSources } from './servers/door-changes.ts';
import { Holds } from './servers/mcp/holds.ts';
import { RateLimit, type Rate } from './servers/rate.ts';
import type { DefinitionList } from './sessions/definitions.ts';
import type { Evaluation } from './sessions/requests.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { ToolHook } from './tools/execute.ts';
import type { ToolOutcome } from './tools/tool.ts';

export interface DoorHostParts extends ChangeSources {
  readonly version: string;
  readonly rate: Rate;
  /** What takes the place of asking about effects. */
  readonly effects: ClientPolicy['effects'];
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly definitions: DefinitionList;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly activity: ActivityStream;
  readonly rules: RuleBook;
  readonly project: () => Project;
  /** Whether the shared image runs, or will start, in the sandbox. */
  readonly sandboxed: () => boolean;
}

/** What is said of the guard and the sandbox wherever somebody could take them for more than they are (G7). */
function saidOfGuard(effects: ClientPolicy['effects'], sandboxed: boolean): string {
  return `${GUARDED[effects]}${sandboxed ? SANDBOXED : effects === 'allow' ? '' : SEAT_BELT}`;
}

const GUARDED = {
  ask: 'What evaluated code would do outside the image (files, processes, the network) waits for the person.',
  allow: 'What evaluated code does outside the image (files, processes, the network) is allowed here and recorded.',
  deny: 'What evaluated code would do outside the image (files, processes, the network) is denied here: nobody can be asked.',
};

const SEAT_BELT = ' This guard is a seat belt for ordinary Lisp code, not a wall.';

const SANDBOXED =
  ' The guard is a seat belt for ordinary Lisp code; the wall is the sandbox of the operating system, in which the image runs: whatever is allowed, there is no network, and only the project folder can be written.';

export function createDoorHost(parts: DoorHostParts): DoorHost {
  const { version, effects, agents, clients, sessions } = parts;
  const resources = new Resources({
    ...parts,
    main: sessions.main,
    replies: parts.executor.replies,
    sessionOf: (actor) => agents.sessionOf(actor).session,
    policyOf: (actor) => agents.policyOf(actor),
  });
  return {
    version,
    get notice() {
      return saidOfGuard(effects, parts.sandboxed());
    },
    holds: new Holds(),
    rate: new RateLimit(parts.rate),
    replies: parts.executor.replies,
    readResource: (resource, reader) => resources.readResource(resource, reader),
    hasFiles: () => resources.hasFiles(),
    profileOf: ({ id }) => clients.profile(id),
    watch: (actor, listener) => watchForDoor(parts, actor, listener),
    authenticate: (token) => clients.authenticate(token),
    connect: (actor, how) => clients.connect(actor, how),
    speaks: (actor, protocol) => clients.speaks(actor, protocol),
    forget: (context) => sessions.all.forEach((session) => session.forget(context)),
    call: (call, options) => callTool(parts, call, options),
    evaluate: (code, pkg, options) => evaluate(parts, code, pkg, options),
  };
}

async function callTool(
  { agents, approvals, executor }: DoorHostParts,
  call: ToolCall,
  options: CallOptions,
): Promise<ToolResult> {
  const where = agents.sessionOf(options.actor);
  const stopNews = options.news ? tellNews(where.session, approvals, call.id, options.news) : null;
  try {
    const caller = { ...options, ...where, policy: agents.policyOf(options.actor) };
    const [result] = await executor.execute([call], caller);
    return result!;
  } finally {
    stopNews?.();
  }
}

/** For doors whose answers have a shape of their own. */
async function evaluate(
  parts: DoorHostParts,
  code: string,
  pkg: string | null,
  options: CallOptions,
): Promise<{ result: ToolResult; evaluation: Evaluation | null }> {
  const { hooks } = parts.executor;
  const id = randomUUID();
  let evaluation: Evaluation | null = null;
  const observe: ToolHook = (phase, _tool, _args, _result, call, outcome) => {
    if (call.id === id && phase !== 'before') evaluation = outcome?.evaluation ?? null;
  };
  hooks.push(observe);
  try {
    const args = pkg === null ? { code } : { code, package: pkg };
    const result = await callTool(parts, { id, name: 'evaluate_lisp', arguments: args }, options);
    return { result, evaluation };
  } finally {
    hooks.splice(hooks.indexOf(observe), 1);
  }
}
