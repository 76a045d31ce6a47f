/**
 * The sandbox around an agent's process. The network remains available. The system and the project are read-only, and of the home folders
 * only the necessary files and folders are visible.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { confine, lookForSandbox, type Sandbox } from '#core/lisp/start/sandbox.ts';
import type { ProcessLaunch } from './agent-process.ts';

export interface AgentPlaces {
  /** The project's folder. */
  readonly project: string;
  /** The only folder that the agent can write to. It contains the agent's state and settings. */
  readonly home: string;
  /** A folder that always stays empty. An agent that may not read the project works in it. */
  readonly empty: string;
  /** Additional project files that are hidden from this agent. */
  readonly hides: readonly string[];
  /** Folders that must be visible even if their parent folders are hidden, because they contain the program's installation. */
  readonly readable: readonly string[];
  /** The person's environment, from which the locations of the person's own files are determined. The agent has a separate home. */
  readonly person: NodeJS.ProcessEnv;
}

/** The machine's folders that contain home folders. Those contain private data such as keys, logins, browser cookies and other projects. */
const HOMES = ['/home', '/root', '/Users'];

/** Variables that name folders or files outside the home with settings and keys. */
const KEPT_ELSEWHERE = [
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AZURE_CONFIG_DIR',
  'CARGO_HOME',
  'CLAUDE_CONFIG_DIR',
  'CLOUDSDK_CONFIG',
  'CODEX_HOME',
  'COPILOT_HOME',
  'DOCKER_CONFIG',
  'GEMINI_CLI_HOME',
  'GH_CONFIG_DIR',
  'GNUPGHOME',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'KIMI_CODE_HOME',
  'KUBECONFIG',
  'NETRC',
  'NPM_CONFIG_USERCONFIG',
  'PASSWORD_STORE_DIR',
  'PGPASSFILE',
  'QWEN_HOME',
  'VAULT_TOKEN_FILE',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
];

/** Variables that name certificate files, which a program needs to reach its model. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * Folders in the home with the sources of Lisp libraries. Agents may read them, because the workbench's tools show these sources anyway.
 */
const LIBRARIES = ['common-lisp', 'quicklisp', '.local/share/common-lisp'];

/**
 * Project files that would configure an agent, for example with hooks, servers or keys. They are hidden from a sandboxed agent, whose own
 * tools can read all other project files.
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

/** Returns the folder in which an agent works: the project, or an empty folder for an agent whose own tools are off. */
export function workFolder(
  standing: AgentStanding,
  { project, empty }: Pick<AgentPlaces, 'project' | 'empty'>,
): string {
  if (standing !== 'workbench-only') return project;
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  return empty;
}

/** Resolves with the reason why agents cannot be sandboxed on this machine, and what to do; null if they can. */
export async function agentSandboxProblem(environment: NodeJS.ProcessEnv, project: string): Promise<string | null> {
  const looked = await lookForSandbox(environment, project);
  if (looked.builder !== null) return null;
  return `a sandbox is unavailable, because ${looked.why}.${looked.mend === null ? '' : ` ${looked.mend}, and try again.`}`;
}

/**
 * Returns the launch within the sandbox. @throws WorkbenchError `refused` if the project contains the home, because the sandbox could then
 * hide nothing.
 */
export function insideAgentSandbox(
  { builder, paths }: Sandbox,
  launch: ProcessLaunch,
  { project, home, empty, hides, readable, person }: AgentPlaces,
): ProcessLaunch {
  const user = person['HOME'];
  const homes = [...HOMES, ...(user ? [user] : [])];
  if (homes.some((name) => isWithin(realOrSame(name), project)))
    throw new WorkbenchError(
      'refused',
      `The project ${project} contains your whole home folder, so the sandbox could not hide it. Open a smaller folder, or start the agent unconfined.`,
    );
  const elsewhere = KEPT_ELSEWHERE.flatMap((name) => absolute(person[name]));
  const configuration = [...CONFIGURES_AGENTS, ...hides].map((name) => path.join(project, name));
  const shown = [
    ...CERTIFICATES.flatMap((name) => absolute(person[name])),
    ...(user ? LIBRARIES.map((name) => path.join(user, name)) : []),
  ];
  const { command, args } = confine(
    builder,
    { ...launch, environment: person },
    {
      network: true,
      hidden: [...paths.hidden, ...homes, ...elsewhere, ...configuration],
      // Makes name lookups work if resolv.conf is a link into /run.
      readable: [project, empty, '/etc/resolv.conf', ...shown, ...readable],
      writable: [home],
      start: launch.directory,
    },
  );
  return { ...launch, command, args };
}

/**
 * Returns the files and folders of a program. For a program that was installed by npm or into a Python environment, they include the
 * packages beside the program.
 */
export function programFiles(place: string): string[] {
  const parts = place.split(path.sep);
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return [place, parts.slice(0, packages + 1).join(path.sep)];
  const environment = path.dirname(path.dirname(place));
  const settings = path.join(environment, 'pyvenv.cfg');
  if (path.basename(path.dirname(place)) !== 'bin' || !existsSync(settings)) return [place];
  // The Python interpreter itself is outside the environment, at the path that this file contains.
  const python = /^home\s*=\s*(.+)$/m.exec(readFileSync(settings, 'utf8'))?.[1];
  return [place, environment, ...(python === undefined ? [] : [path.dirname(python)])];
}

function absolute(name: string | undefined): string[] {
  return name !== undefined && path.isAbsolute(name) ? [name] : [];
}

function isWithin(name: string, folder: string): boolean {
  return name === folder || name.startsWith(folder === path.sep ? folder : folder + path.sep);
}

function realOrSame(name: string): string {
  return existsSync(name) ? realpathSync(name) : name;
}
