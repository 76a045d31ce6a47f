/** The part of the workbench that transports use: tools, resources and the authentication of clients. */
import { randomUUID } from 'node:crypto';
import type { ActivityStream } from '#core/activity/stream.ts';
import type { Agents } from './agents.ts';
import type { ClientPolicy } from '#core/approvals/policy/policy.ts';
import { maskTokens } from './base/tokens.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { ClientProfile } from '#contract/clients/client.ts';
import type { ClientApproval } from '#core/approvals/client-approval.ts';
import { companyWords } from '#core/approvals/without-window.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import type { Project } from '#core/project/project.ts';
import { Resources } from './resources.ts';
import type { CallOptions, TransportHost } from '#core/transports/host.ts';
import { reportCallProgress, watchChanges, type ChangeSources } from '#core/transports/change-notifications.ts';
import { OpenQuestions } from '#core/transports/mcp/questions/open-questions.ts';
import { ResponseTimeouts } from '#core/transports/mcp/response-timeout.ts';
import { OpenRequests } from '#core/transports/open-requests.ts';
import type { DefinitionList } from '#core/sessions/definitions/definition-list.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { CheckedCall } from '#core/tools/checked-call.ts';
import type { Executed } from '#core/tools/executor/caller.ts';
import { profileFor } from '#core/tools/tool-sets/tool-sets.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';

export interface TransportHostParts extends ChangeSources {
  readonly version: string;
  /** True if the workbench has a window in which a person works on the same image. */
  readonly shared: boolean;
  readonly mostOpenRequests: number | undefined;
  /** How the effects of clients' code are handled: a person is asked, or they are always allowed, or always denied. */
  readonly effects: ClientPolicy['effects'];
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly definitions: DefinitionList;
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly clientApproval: ClientApproval<ToolOutcome>;
  readonly activity: ActivityStream;
  readonly rules: RuleBook;
  /** The tool set for all clients; null if each client has its own. */
  readonly tools: ClientProfile | null;
  readonly project: () => Project;
  /** Returns true if the shared image is running, or will start, in the sandbox. */
  readonly sandboxed: () => boolean;
}

/**
 * Returns the sentence about people for the instructions to clients. It says whether a person shares the image, and who decides about
 * writes.
 */
function company({ shared, approvals }: Pick<TransportHostParts, 'shared' | 'approvals'>): string {
  if (shared) return 'You may share it with a person, who sees what you do. Writing files needs their approval.';
  return companyWords(approvals.approver);
}

/** Returns the explanation of the guard and the sandbox. It prevents readers from overestimating their protection (G7). */
function guardNotice(effects: ClientPolicy['effects'], sandboxed: boolean): string {
  return `${GUARDED[effects]}${sandboxed ? SANDBOXED : effects === 'allow' ? '' : SEAT_BELT}`;
}

const GUARDED = {
  ask: 'What evaluated code would do outside the image (files, processes, the network) needs the person’s approval.',
  allow: 'What evaluated code does outside the image (files, processes, the network) is allowed here and recorded.',
  deny: 'What evaluated code would do outside the image (files, processes, the network) is denied here, because nobody can approve it.',
};

const SEAT_BELT = ' This guard is a seat belt for ordinary Lisp code, not a security boundary.';

const SANDBOXED =
  ' The guard is a seat belt for ordinary Lisp code. The security boundary is the operating system’s sandbox, in which the image runs without network access and can write only to the project folder.';

export function createTransportHost(parts: TransportHostParts): TransportHost {
  const { version, effects, agents, clients, sessions } = parts;
  const asked = (): ClientPolicy['effects'] =>
    effects === 'ask' && !parts.shared && parts.approvals.approver === null ? 'deny' : effects;
  const notice = (): string => `${company(parts)} ${guardNotice(asked(), parts.sandboxed())}`;
  const resources = new Resources({
    ...parts,
    notice,
    main: sessions.main,
    replies: parts.executor.replies,
    sessionOf: (actor) => agents.sessionOf(actor).session,
    policyOf: (actor) => agents.policyOf(actor),
  });
  const { clientApproval } = parts;
  const asksClients = {
    decide: (...given: Parameters<typeof clientApproval.decide>) => clientApproval.decide(...given),
    questions: new OpenQuestions(),
  };
  return {
    version,
    run: randomUUID(),
    get clientApproval() {
      return clientApproval.active ? asksClients : null;
    },
    get notice() {
      return notice();
    },
    get place() {
      const { root, name } = parts.project();
      return root === null ? '' : `The project is ${name}, in ${root}.`;
    },
    responseTimeouts: new ResponseTimeouts(),
    openRequests: new OpenRequests(parts.mostOpenRequests),
    replies: parts.executor.replies,
    readResource: (resource, reader) => resources.readResource(resource, reader),
    hasFiles: () => resources.hasFiles(),
    profileOf: ({ id }, says) =>
      parts.tools ?? profileFor(clients.profile(id), clients.isHosted(id) ? undefined : says),
    listed: ({ id }) => clients.events.emit('listed', { id }),
    watch: (actor, listener) => watchChanges(parts, actor, listener),
    asProgram: (actor, says) => clients.asProgram(actor, says),
    authenticate: (token) => clients.authenticate(token),
    connect: (actor, how) => clients.connect(actor, how),
    runsFor: (connectionId) => parts.executor.runsFor(connectionId),
    forget: (connectionId) => sessions.all.forEach((session) => session.forget(connectionId)),
    call: (call, options) => callTool(parts, call, options),
  };
}

async function callTool(
  { agents, approvals, clients, executor }: TransportHostParts,
  call: CheckedCall,
  options: CallOptions,
): Promise<Executed> {
  const actor = clients.asProgram(options.actor, options.program);
  const where = agents.sessionOf(actor);
  const stopProgress = options.onProgress
    ? reportCallProgress(where.session, approvals, call.id, options.onProgress)
    : null;
  try {
    const { result, evaluation } = await executor.run(call, {
      ...options,
      ...where,
      actor,
      policy: agents.policyOf(actor),
    });
    return {
      result,
      get evaluation() {
        return maskTokens(evaluation);
      },
    };
  } finally {
    stopProgress?.();
  }
}
