/** Connects the workbench's agents with clients, images, approvals, and the server that the agents use. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Actor } from '#contract/image/session.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { AgentListener } from '#core/hosted/acp/connection.ts';
import { agentSandboxProblem } from '#core/hosted/process/agent-sandbox.ts';
import { Catalog } from '#core/hosted/catalog/catalog.ts';
import { HostedAgents } from '#core/hosted/hosted-agents.ts';
import { AgentPrograms } from '#core/hosted/programs/agent-programs.ts';
import type { Recipe } from '#core/hosted/recipes/recipe.ts';
import { findBuffer, type OpenBuffer } from '#core/project/files/buffers.ts';
import { readText } from '#core/project/files/files.ts';
import type { Paths } from '#core/settings/paths.ts';
import { checkCall } from '#core/tools/checked-call.ts';
import { sandboxPaths } from './sandbox-choice.ts';
import type { Workbench } from './workbench.ts';

export interface AgentHostOptions {
  readonly paths: Paths;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  /** Resolves with the address of MCP over HTTP. @throws WorkbenchError that says why there is no address. */
  readonly address: () => Promise<string>;
  /** Returns the buffers that are open in the person's editor. */
  readonly buffers: () => readonly OpenBuffer[];
  /** Recipes that replace the built-in ones; for tests. `readable` contains folders that their programs need in the sandbox. */
  readonly recipes?: readonly Recipe[];
  readonly readable?: readonly string[];
  /** The number of milliseconds within which an agent must request the list of our tools. For tests. */
  readonly listingMs?: number;
}

/** How long an agent's write waits for the person, in milliseconds; in effect without a limit. */
const FOREVER_MS = 2_000_000_000;

export function createAgentHost(workbench: Workbench, options: AgentHostOptions): HostedAgents {
  const { agents, clients, approvals, executor } = workbench;
  const { paths, environment, version, address, buffers, recipes, readable = [] } = options;
  const folder = path.join(paths.state, 'agents');
  const sandbox = sandboxPaths(paths);
  const host = new HostedAgents({
    programs: new AgentPrograms({
      folder,
      environment,
      project: () => workbench.project.root,
      sandboxProblem: () => agentSandboxProblem(environment, workbench.project.root ?? paths.state),
      runs: (id) => host.runs(id),
      ...(recipes
        ? { recipes }
        : {
            catalog: new Catalog({
              file: path.join(folder, 'registry.json'),
              address: environment['LISP_WORKBENCH_AGENT_REGISTRY'],
              environment,
            }),
          }),
    }),
    readable,
    clients,
    agents,
    calls: executor.events,
    queue: approvals,
    project: () => workbench.project,
    trusted: () => workbench.trusted,
    address,
    filesOf: (actor) => filesOf(workbench, actor, buffers),
    refused: (actor, summary) =>
      workbench.activity.publish({ kind: 'client-changed', actor, change: 'refused', summary }),
    folder,
    sandbox,
    environment,
    version,
    terminals: () => workbench.sbcl(),
    listingMs: options.listingMs,
  });
  return host;
}

/** Starts the server of MCP over HTTP if it is off, and returns its address. */
export async function addressOfServer({ servers }: Pick<Workbench, 'servers'>): Promise<string> {
  const { address, problem } = await servers.start('http');
  if (address !== null) return address;
  throw new WorkbenchError(
    'refused',
    `Agents use the image through MCP over HTTP, which is off. ${problem ?? 'Start it in Servers…'}`,
  );
}

/**
 * Returns an agent's access to the project's files. The agent reads the editor's unsaved text, and its writes become requests in Review.
 */
function filesOf(
  workbench: Workbench,
  actor: Actor,
  buffers: () => readonly OpenBuffer[],
): NonNullable<AgentListener['files']> {
  return {
    read: async (file, line, limit) => {
      const { text } = await findBuffer(file, buffers(), workbench.project);
      if (line === null && limit === null) return text;
      const first = Math.max(0, (line ?? 1) - 1);
      return text
        .split('\n')
        .slice(first, limit === null ? undefined : first + limit)
        .join('\n');
    },
    write: async (file, content) => {
      const checked = checkCall(randomUUID(), 'write-file', { path: file, content });
      if (!checked.ok) throw new WorkbenchError('invalid', checked.message);
      const { result } = await workbench.transportHost.call(checked.call, {
        actor,
        connectionId: actor.id,
        approvalTimeoutMs: FOREVER_MS,
      });
      if (!result.success) throw new WorkbenchError('refused', result.error ?? 'The file was not written.');
      // In the protocol, the reply to a write contains no text. If the person changed the content, an error reports that to the agent.
      const { text } = await readText(await workbench.project.locate(file));
      if (text !== content) throw new WorkbenchError('refused', `${result.content}\nRead the file again.`);
    },
  };
}
