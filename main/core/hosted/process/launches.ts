/**
 * The launches of agents: each program with its arguments, variables and sandbox. Each combination of program and access level has a
 * separate home.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { prepareSandbox, type SandboxPaths } from '#core/lisp/start/sandbox.ts';
import { environmentOf, withoutProviders } from './agent-environment.ts';
import type { ReadyProgram } from '../programs/agent-programs.ts';
import type { ProcessLaunch } from './agent-process.ts';
import { insideAgentSandbox, programFiles, workFolder, type AgentPlaces } from './agent-sandbox.ts';
import { writeLaunchFiles } from './launch-files.ts';
import { programCommand } from '../programs/program-command.ts';
import type { AgentLaunch, WorkbenchServer } from '../recipes/recipe.ts';
import { sessionWish } from '../session-wish.ts';
import { isOurs, requireOurToolsOnly } from '../standings/checked-tools.ts';
import { checkTools } from '../standings/tool-check.ts';

interface LaunchesParts {
  /** The folder for the agents' state. */
  readonly folder: string;
  readonly sandbox: SandboxPaths;
  readonly environment: NodeJS.ProcessEnv;
  /** Additional folders that sandboxed agents can read. */
  readonly readable: readonly string[];
  /** The workbench's version. */
  readonly version: string;
}

/** The program, access level, project and server with which an agent is started. */
export interface Start {
  readonly ready: ReadyProgram;
  readonly standing: AgentStanding;
  /** The project's folder. */
  readonly project: string;
  readonly server: WorkbenchServer;
}

export interface PreparedLaunch {
  readonly agent: ProcessLaunch;
  /** The launches for a terminal login: `agent` with the agent's arguments, `program` without arguments. */
  readonly login: { readonly agent: ProcessLaunch; readonly program: ProcessLaunch };
  /**
   * Writes the program's settings directly before the start. Resolves with the names of files that the agent had replaced; these files are
   * restored. @throws WorkbenchError that says why the settings cannot be written.
   */
  readonly writeFiles: () => Promise<string[]>;
}

/**
 * In a terminal, Ctrl+C and Ctrl+\ also send their signals to the program that creates the sandbox, which would end that program and
 * everything inside. Therefore that program ignores these signals, and the program inside gets the default behaviour back. If `env` cannot
 * restore the default, the program inside ignores them too, unless it handles them itself.
 */
const IGNORING_KEYS = ['/bin/sh', '-c', 'trap "" INT QUIT; exec "$@"', 'login'];
const MINDING_KEYS = [
  '/bin/sh',
  '-c',
  'if env --default-signal=INT,QUIT true 2>/dev/null; then exec env --default-signal=INT,QUIT "$@"; else exec "$@"; fi',
  'login',
];

export class Launches {
  readonly #parts: LaunchesParts;
  /**
   * The latest check of each program. Checks of the same program run one after the other, because the later ones can usually use the first
   * one's result.
   */
  readonly #checks = new Map<string, Promise<void>>();

  constructor(parts: LaunchesParts) {
    this.#parts = parts;
  }

  /** Prepares a launch. @throws WorkbenchError if there is no sandbox, or if this project cannot be sandboxed. */
  prepare(start: Start): Promise<PreparedLaunch> {
    const home = path.join(this.#folderOf(start), homeName(start.standing));
    return this.#prepare(start, home, null);
  }

  /**
   * Verifies that a program which may act only through the workbench offers its model no other tools.
   * @throws StandingError if it offers other tools; WorkbenchError if the tools cannot be determined, or `cancelled` if the signal was
   * aborted.
   */
  async check(start: Start, signal: AbortSignal): Promise<void> {
    if (start.standing !== 'workbench-only') return;
    const { id } = start.ready.recipe;
    const before = this.#checks.get(id);
    const check = (before ?? Promise.resolve()).catch(() => {}).then(() => this.#check(start, signal));
    this.#checks.set(id, check);
    await check;
  }

  async #check(start: Start, signal: AbortSignal): Promise<void> {
    const { ready, standing, server } = start;
    const { recipe, found } = ready;
    const { version } = this.#parts;
    const folder = this.#folderOf(start);
    const home = path.join(folder, 'check');
    const launch = recipe.launch({ found, standing, server, home });
    const meta = recipe.sessionMeta?.({ standing, server }) ?? null;
    await requireOurToolsOnly({ recipe, found, launch, meta, version }, folder, async () => {
      try {
        await rm(home, { recursive: true, force: true }); // a check that was killed may have left files
        return await checkTools(
          {
            title: recipe.title,
            launch: async (model) => {
              const { agent, writeFiles } = await this.#prepare(start, home, model);
              await writeFiles();
              return agent;
            },
            wish: (directory) => sessionWish(recipe, standing, server, directory),
            login: recipe.modelLogin ?? null,
            version,
            protocol: recipe.protocol,
            isOurs,
          },
          signal,
        );
      } finally {
        await rm(home, { recursive: true, force: true }).catch(() => {}); // if this fails, the next check empties the folder
      }
    });
  }

  #folderOf({ ready }: Start): string {
    return path.join(this.#parts.folder, ready.recipe.id);
  }

  /**
   * `model` is the address of a model that is used instead of the vendor's, without any of the person's keys; null for the vendor's model.
   */
  async #prepare(
    { ready: { recipe, found }, standing, project, server }: Start,
    home: string,
    model: string | null,
  ): Promise<PreparedLaunch> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const usual = recipe.launch({ found, standing, server, home });
    const launched: AgentLaunch = model === null ? usual : recipe.modelAt(model, usual);
    const program = programCommand(found);
    const places: AgentPlaces = {
      project,
      home,
      empty: path.join(path.dirname(home), 'empty'),
      hides: recipe.hides ?? [],
      person: this.#parts.environment,
      readable: [
        path.join(this.#parts.folder, recipe.id, 'program'),
        ...programFiles(found.place),
        path.dirname(process.execPath),
        ...(found.node === undefined ? [] : [found.node]),
        ...this.#parts.readable,
      ],
    };
    const inherited = environmentOf(this.#parts.environment, standing);
    const environment = {
      ...(model === null ? inherited : withoutProviders(inherited)),
      ...program.environment,
      ...launched.environment,
    };
    const sandbox =
      standing === 'unconfined' ? null : await prepareSandbox(this.#parts.sandbox, this.#parts.environment, project);
    const launch = (args: readonly string[], before: readonly string[] = []): ProcessLaunch => {
      const [command, ...rest] = [...before, program.command, ...program.args, ...args];
      const outside = { command: command!, args: rest, directory: workFolder(standing, places), environment };
      return sandbox === null ? outside : insideAgentSandbox(sandbox, outside, places);
    };
    const atTerminal = (args: readonly string[]): ProcessLaunch => {
      if (sandbox === null) return launch(args);
      const inside = launch(args, MINDING_KEYS);
      const [command, ...rest] = [...IGNORING_KEYS, inside.command, ...inside.args];
      return { ...inside, command: command!, args: rest };
    };
    return {
      agent: launch(launched.args),
      login: { agent: atTerminal(launched.args), program: atTerminal([]) },
      writeFiles: () => writeLaunchFiles(launched, home),
    };
  }
}

/**
 * Returns the name of the home for an access level. A program with its own tools can add servers and hooks to its home, so the level
 * without own tools has a separate home.
 */
function homeName(standing: AgentStanding): string {
  return standing === 'workbench-only' ? 'home-workbench-only' : 'home';
}
