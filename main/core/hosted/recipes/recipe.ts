/**
 * A recipe contains the workbench's knowledge of one agent program. There is one file for each program; the rest of the host is the same
 * for all programs.
 */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { AskingValues } from '../standings/modes.ts';

/** The workbench's MCP server, in the form in which it is passed to a session of the agent. */
export interface WorkbenchServer {
  /** The server's name as the agent sees it: `lisp-workbench`. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

/** A program that a search has found. */
export interface FoundProgram {
  /** The absolute path of the file to start. */
  readonly place: string;
  /** The absolute path of the Node that runs a JavaScript script; absent if the workbench's own Node runs it. */
  readonly node?: string;
  /**
   * The search path for the program and its child processes, if its Node is only on the login shell's path; absent if the inherited path is
   * sufficient.
   */
  readonly path?: string;
  /** True for a JavaScript script whose file name has no script suffix. */
  readonly script?: boolean;
  /** The version that the program reports; null if it reports none. */
  readonly version: string | null;
}

/** The name of the loopback model, which is used to check a program's tools. */
export const LOOPBACK_MODEL = 'loopback-model';

interface LaunchRequest {
  readonly found: FoundProgram;
  readonly standing: AgentStanding;
  readonly server: WorkbenchServer;
  /** The folder that only this agent uses for its state and settings. */
  readonly home: string;
}

/** How to start a program. */
export interface AgentLaunch {
  /** Arguments after the program. */
  readonly args: readonly string[];
  /** Variables that are added to the inherited ones. Undefined removes an inherited variable, because it could bypass an access level. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Files to write before the program starts. The names are relative to `home`. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * Files that the program also writes itself. Each function receives the current text, empty if the file is missing, and returns the new
   * text.
   */
  readonly rewrites?: Readonly<Record<string, (before: string) => string>>;
}

/** A call as the agent reports it: a tool call, or a call for which it asks permission. */
export interface ToldCall {
  /** The agent's id for the call. */
  readonly id: string;
  readonly title: string | null;
  readonly name: string | null;
  readonly kind: string | null;
  readonly rawInput: unknown;
  /** The `_meta` of the call, combined with the `_meta` of its request for permission. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A call of a workbench tool that was recognized in an agent's report. */
export interface RecognisedCall {
  /** The tool's name, such as `evaluate-lisp`. */
  readonly tool: string;
  /** The arguments; null if the agent does not report them. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

export interface RecipePackage {
  readonly name: string;
  /** The latest tested version; null if none was tested. */
  readonly version: string | null;
  /** The required disk space; null if it is unknown. */
  readonly megabytes: number | null;
}

/** An archive, or the program itself, that is downloaded from an address. */
export interface ArchiveDownload {
  readonly kind: 'archive';
  readonly address: string;
  /** The checksum in lower-case hexadecimal digits; null if the registry entry contains none. */
  readonly sha256: string | null;
  /** The path of the program in the archive. */
  readonly program: string;
  readonly version: string;
}

/** A Python package. */
export interface PythonDownload {
  readonly kind: 'python';
  /** The package with its version in uv's format: `name@1.2.3`. */
  readonly package: string;
  /** The name of the package's program. */
  readonly program: string;
  readonly version: string;
}

export type RecipeDownload = ArchiveDownload | PythonDownload;

export interface Recipe {
  readonly id: string;
  readonly title: string;
  /** The ids of the registry entries for this program, including the entries for its older packages. */
  readonly listed: readonly string[];
  /** The npm package, always in its newest version, that a click installs; null if the program is installed another way. */
  readonly package: RecipePackage | null;
  /** The download that a click installs instead of an npm package; omitted for a program that the person installs. */
  readonly download?: RecipeDownload;
  /**
   * The files to try in the installation folder; the first existing one is started. JavaScript scripts end with `.js`, `.mjs` or `.cjs`.
   */
  readonly installed: readonly string[];
  /** The name of the program to look for on the path. */
  readonly program: string;
  /** The lowest Node version that runs the program, such as `22` or `20.19`; null for a program that needs no Node. */
  readonly node: string | null;
  /** The arguments that make a program report its version; null if the program is not started to find its version. */
  readonly versionArguments: readonly string[] | null;
  /** True if the installed program is a JavaScript script, regardless of its name. */
  readonly script?: boolean;
  /** Resolves with the recipe, completed from the package in the installation folder; omitted if the recipe is complete. */
  completed?(folder: string): Promise<Recipe>;
  /**
   * True for a program whose own tools cannot be turned off reliably. Such a program never gets the level that acts only through the
   * workbench.
   */
  readonly keepsOwnTools?: boolean;
  launch(request: LaunchRequest): AgentLaunch;
  /** Returns the `_meta` for the `session/new` request. */
  sessionMeta?(request: Pick<LaunchRequest, 'standing' | 'server'>): Record<string, unknown>;
  /** Returns the reported call of a tool of `server`; null for one of the agent's own tools. */
  ownCall(call: ToldCall, server: Pick<WorkbenchServer, 'name'>): RecognisedCall | null;
  /**
   * The values of modes and other options with which the agent asks the person before it acts. A sandboxed agent can have only these
   * values, and the person can choose only among them.
   */
  readonly asks: AskingValues;
  /** The agent's own tools that affect only the conversation. They may stay on even if the agent may act only through the workbench. */
  readonly harmless: readonly string[];
  /**
   * Returns the launch with the model at `url` instead of the vendor's model. The model at `url` is a loopback server without a login,
   * which checks the program's tools.
   */
  modelAt(url: string, launch: AgentLaunch): AgentLaunch;
  /** The method for logging in to the loopback model; omitted if no login is needed. */
  readonly modelLogin?: string;
  /**
   * Project files with instructions that the program sends to its model automatically, regardless of its settings. They are hidden in the
   * sandbox, because the person sends the instructions.
   */
  readonly hides?: readonly string[];
  /** The protocol version to use; if omitted, the newest one that the program supports. */
  readonly protocol?: 1 | 2;
  /** Matches the program's messages about its own start, which arrive as if they were text from its model. */
  readonly remarks?: RegExp;
  /** True if the agent writes files through `fs/write_text_file`. */
  readonly writesThroughHost?: boolean;
  /** A sentence about the actions that the agent takes without asking if nothing prevents them. */
  readonly unasked: string;
}
