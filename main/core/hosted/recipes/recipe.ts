/** A recipe: what the workbench knows of one agent program. One file each; the rest of the host is the same for all. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { AskingValues } from '../standings/modes.ts';

/** The MCP server of the workbench, as a session of the agent is given it. */
export interface WorkbenchServer {
  /** The name under which the agent knows it: `lisp-workbench`. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

/** A program as it was found. */
export interface FoundProgram {
  /** Absolute path of what is started. */
  readonly place: string;
  /** Absolute path of the Node that runs a script of JavaScript; absent where that is the workbench's own. */
  readonly node?: string;
  /** The path for it and for what it starts, where that Node is on the path of the login shell alone; absent where the inherited one will do. */
  readonly path?: string;
  /** True for a script of JavaScript whose name does not say so. */
  readonly script?: boolean;
  /** The version that it tells; null where it tells none. */
  readonly version: string | null;
}

/** The name of the model on loopback by which tools are looked at. */
export const LOOPBACK_MODEL = 'loopback-model';

interface LaunchRequest {
  readonly found: FoundProgram;
  readonly standing: AgentStanding;
  readonly server: WorkbenchServer;
  /** The folder that belongs to this agent alone, for its state and settings. */
  readonly home: string;
}

/** How a program is started. */
export interface AgentLaunch {
  /** Arguments behind the program. */
  readonly args: readonly string[];
  /** Variables that are set beside the inherited ones; undefined takes an inherited one away, since it could undo what a standing promises. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Files that are written before the start, by names relative to `home`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files that the program writes itself too: each is written with the text that this returns for its text before, which is empty for one that is missing. */
  readonly rewrites?: Readonly<Record<string, (before: string) => string>>;
}

/** A call as an agent tells of it: a tool call, or the one that it asks permission for. */
export interface ToldCall {
  /** The id that the agent has given the call. */
  readonly id: string;
  readonly title: string | null;
  readonly name: string | null;
  readonly kind: string | null;
  readonly rawInput: unknown;
  /** The `_meta` of the call, and that of the request for permission around it. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A call of a tool of the workbench, as recognised in what an agent tells. */
export interface RecognisedCall {
  /** The tool's name, such as `evaluate-lisp`. */
  readonly tool: string;
  /** The arguments; null where the agent does not tell them. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

export interface RecipePackage {
  readonly name: string;
  /** The version that was tried last; null where none was. */
  readonly version: string | null;
  /** The room that it takes on the disk; null where that is not known. */
  readonly megabytes: number | null;
}

/** An archive, or the program itself, that is fetched from an address. */
export interface ArchiveDownload {
  readonly kind: 'archive';
  readonly address: string;
  /** In hexadecimal digits of lower case; null where the list has none. */
  readonly sha256: string | null;
  /** The name of the program in the archive, with its folders. */
  readonly program: string;
  readonly version: string;
}

/** A package of Python. */
export interface PythonDownload {
  readonly kind: 'python';
  /** The package with its version, as uv takes it: `name@1.2.3`. */
  readonly package: string;
  /** The name of its program. */
  readonly program: string;
  readonly version: string;
}

export type RecipeDownload = ArchiveDownload | PythonDownload;

export interface Recipe {
  readonly id: string;
  readonly title: string;
  /** The ids of the entries of the registry that stand for this program, also under its older packages. */
  readonly listed: readonly string[];
  /** The package of npm that is installed on a click, in its newest version; null for a program that comes in another way. */
  readonly package: RecipePackage | null;
  /** The download that is installed on a click in place of a package of npm; left out for a program that the person installs. */
  readonly download?: RecipeDownload;
  /** The file that is started, in the folder of an installation: the first that is there. Scripts of JavaScript end with `.js`, `.mjs` or `.cjs`. */
  readonly installed: readonly string[];
  /** The name by which the program is looked for on the path. */
  readonly program: string;
  /** The first version of Node that runs it, such as `22` or `20.19`; null for a program that needs none. */
  readonly node: string | null;
  /** Arguments by which a program tells its version; null for one that is not started to tell it. */
  readonly versionArguments: readonly string[] | null;
  /** True where the program in the folder of an installation is a script of JavaScript, whatever its name. */
  readonly script?: boolean;
  /** Resolves with the recipe as the package in the folder of an installation completes it; left out where the recipe says all. */
  completed?(folder: string): Promise<Recipe>;
  /** True for a program whose own tools cannot be switched off for certain: it never acts only through the workbench. */
  readonly keepsOwnTools?: boolean;
  launch(request: LaunchRequest): AgentLaunch;
  /** The `_meta` of `session/new`. */
  sessionMeta?(request: Pick<LaunchRequest, 'standing' | 'server'>): Record<string, unknown>;
  /** The call of a tool of `server` that an agent tells of; null for one of the agent's own tools. */
  ownCall(call: ToldCall, server: Pick<WorkbenchServer, 'name'>): RecognisedCall | null;
  /** The modes and other choices with which it asks the person; an agent that is closed off gets and offers no others. */
  readonly asks: AskingValues;
  /** Tools of its own that act within the conversation alone, and may stay where it acts only through the workbench. */
  readonly harmless: readonly string[];
  /** The launch with the model of `url` in the place of its vendor's, by which its tools are looked at: a server on loopback, which needs no login. */
  modelAt(url: string, launch: AgentLaunch): AgentLaunch;
  /** The method that logs it in at that model; left out where it needs none. */
  readonly modelLogin?: string;
  /** Files of a project with instructions that the program sends by itself whatever its settings say, hidden from it in the sandbox: the person sends them. */
  readonly hides?: readonly string[];
  /** The version of the protocol that is spoken with it; the newest that it speaks when left out. */
  readonly protocol?: 1 | 2;
  /** Messages of the program about its own start, which come as words of its model. */
  readonly remarks?: RegExp;
  /** True where the agent writes files through `fs/write_text_file`. */
  readonly writesThroughHost?: boolean;
  /** The actions that it takes unasked where nothing keeps it from them, in a sentence. */
  readonly unasked: string;
}
