/** The sandbox around an agent's process: the network stays, the project and all else can be read only, and keys not at all. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { AgentStanding } from '#contract/hosted-agent.ts';
import { confine, lookForSandbox, type Sandbox } from '#core/lisp/sandbox.ts';
import type { ProcessLaunch } from './agent-process.ts';

export interface AgentPlaces {
  /** The folder of the project. */
  readonly project: string;
  /** The one folder that the agent can write: its state and settings. */
  readonly home: string;
  /** Further files of the project that are hidden from this agent. */
  readonly hides: readonly string[];
  /** Folders that must be there whatever is hidden: where the program is installed. */
  readonly readable: readonly string[];
  /** The environment of the person, by whose home their keys are found: the agent has a home of its own. */
  readonly person: NodeJS.ProcessEnv;
}

/** Folders and files below the home of the person with keys to other systems. */
const KEYS = [
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.docker',
  '.git-credentials',
  '.kube',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pypirc',
];

/**
 * Files of a project that would configure an agent that works in it, with hooks, servers and keys: they are hidden from one in the sandbox. Its own tools read the
 * rest.
 */
const CONFIGURES_AGENTS = [
  '.claude',
  '.codex',
  '.copilot',
  '.cursor',
  '.env',
  '.envrc',
  '.gemini',
  '.github/agents',
  '.github/copilot',
  '.github/hooks',
  '.kimi',
  '.kimi-code',
  '.mcp.json',
  '.opencode',
  '.qwen',
  '.vscode',
  'opencode.json',
  'opencode.jsonc',
];

/** The folder that an agent works in: the project, or an empty folder for one without tools of its own, which reads nothing there. */
export function workFolder(standing: AgentStanding, { project, home }: AgentPlaces): string {
  if (standing !== 'workbench-only') return project;
  const folder = path.join(home, 'empty');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Resolves with why no agent can be put into a sandbox on this machine, with what to do; null where it can. */
export async function agentSandboxProblem(environment: NodeJS.ProcessEnv, project: string): Promise<string | null> {
  const looked = await lookForSandbox(environment, project);
  if (looked.builder !== null) return null;
  return `a sandbox cannot be had, since ${looked.why}.${looked.mend === null ? '' : ` ${looked.mend}, and look again.`}`;
}

/** The launch within the sandbox. @throws WorkbenchError for a project that would leave nothing to protect. */
export function insideAgentSandbox(
  { builder, paths }: Sandbox,
  launch: ProcessLaunch,
  { project, home, hides, readable, person }: AgentPlaces,
): ProcessLaunch {
  const user = person['HOME'];
  const keys = user ? KEYS.map((name) => path.join(user, name)) : [];
  const configuration = [...CONFIGURES_AGENTS, ...hides].map((name) => path.join(project, name));
  const { command, args } = confine(
    builder,
    { ...launch, environment: person },
    {
      network: true,
      hidden: [...paths.hidden, ...keys, ...configuration],
      // Where resolv.conf leads into /run, nothing could be looked up without it.
      readable: [project, '/etc/resolv.conf', ...readable],
      writable: [home],
      start: launch.directory,
    },
  );
  return { ...launch, command, args };
}
