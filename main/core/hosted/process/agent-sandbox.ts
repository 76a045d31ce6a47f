/** The sandbox around an agent's process: the network stays, the system and the project can be read only, and of the homes only what its program needs. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { confine, lookForSandbox, type Sandbox } from '#core/lisp/start/sandbox.ts';
import type { ProcessLaunch } from './agent-process.ts';

export interface AgentPlaces {
  /** The folder of the project. */
  readonly project: string;
  /** The one folder that the agent can write: its state and settings. */
  readonly home: string;
  /** A folder that nobody writes, for an agent that reads nothing of the project. */
  readonly empty: string;
  /** Further files of the project that are hidden from this agent. */
  readonly hides: readonly string[];
  /** Folders that must be there whatever is hidden: where the program is installed. */
  readonly readable: readonly string[];
  /** The environment of the person, which tells where their own files are: the agent has a home of its own. */
  readonly person: NodeJS.ProcessEnv;
}

/** The homes of the machine: in them is what people keep for themselves, such as keys, logins, browsers' cookies and other projects. */
const HOMES = ['/home', '/root', '/Users'];

/** Variables by which settings and keys are elsewhere than in the home. */
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

/** Variables that name files with certificates, which a program reads to reach its model. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Folders of the home with the sources of Lisp libraries, which agents read as the workbench shows them. */
const LIBRARIES = ['common-lisp', 'quicklisp', '.local/share/common-lisp'];

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
export function workFolder(
  standing: AgentStanding,
  { project, empty }: Pick<AgentPlaces, 'project' | 'empty'>,
): string {
  if (standing !== 'workbench-only') return project;
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  return empty;
}

/** Resolves with why no agent can be put into a sandbox on this machine, with what to do; null where it can. */
export async function agentSandboxProblem(environment: NodeJS.ProcessEnv, project: string): Promise<string | null> {
  const looked = await lookForSandbox(environment, project);
  if (looked.builder !== null) return null;
  return `a sandbox cannot be had, since ${looked.why}.${looked.mend === null ? '' : ` ${looked.mend}, and try again.`}`;
}

/** The launch within the sandbox. @throws WorkbenchError `refused` for a project that would leave nothing to hide. */
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
      `The project ${project} has your whole home in it, so the sandbox could hide nothing of it. Open a smaller folder, or start the agent unconfined.`,
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
      // Where resolv.conf leads into /run, nothing could be looked up without it.
      readable: [project, empty, '/etc/resolv.conf', ...shown, ...readable],
      writable: [home],
      start: launch.directory,
    },
  );
  return { ...launch, command, args };
}

/** Returns the files and folders that a program consists of: with the packages beside it, where npm or a Python environment has installed it. */
export function programFiles(place: string): string[] {
  const parts = place.split(path.sep);
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return [place, parts.slice(0, packages + 1).join(path.sep)];
  const environment = path.dirname(path.dirname(place));
  const settings = path.join(environment, 'pyvenv.cfg');
  if (path.basename(path.dirname(place)) !== 'bin' || !existsSync(settings)) return [place];
  // The Python itself is elsewhere.
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
