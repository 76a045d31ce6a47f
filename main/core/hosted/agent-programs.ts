/** The agent programs of this machine: which there are, in which standings each can run, and their installation. */
import path from 'node:path';
import type { AgentProgram, AgentStanding } from '#contract/hosted-agent.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { install, installCommand } from './installation.ts';
import { searchProgram, type SearchResult } from './program-search.ts';
import type { FoundProgram, Recipe } from './recipes/recipe.ts';
import { RECIPES } from './recipes/recipes.ts';

export interface AgentProgramsOptions {
  /** The folder for what belongs to agents: for each a folder with its installation. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder; null for none. */
  readonly project: () => string | null;
  /** Resolves with why no process can be closed off on this machine, in words; null where it can. */
  readonly sandboxProblem: () => Promise<string | null>;
  readonly recipes?: readonly Recipe[];
}

/** A program that can be started. */
export interface ReadyProgram {
  readonly recipe: Recipe;
  readonly found: FoundProgram;
  readonly program: AgentProgram;
}

interface AgentProgramsEvents {
  changed: AgentProgram[];
}

interface RunningInstallation {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  words: string;
}

export class AgentPrograms {
  readonly events = new Emitter<AgentProgramsEvents>();
  readonly #options: AgentProgramsOptions;
  readonly #recipes: readonly Recipe[];
  readonly #results = new Map<string, SearchResult>();
  readonly #installing = new Map<string, RunningInstallation>();
  /** Why the latest installation of a program failed, by its recipe. */
  readonly #failures = new Map<string, string>();
  #sandboxProblem: string | null = null;

  constructor(options: AgentProgramsOptions) {
    this.#options = options;
    this.#recipes = options.recipes ?? RECIPES;
  }

  /** The programs as they were when they were last looked for. */
  get list(): AgentProgram[] {
    return this.#recipes.map((recipe) => this.#describe(recipe));
  }

  /** Looks for all programs. */
  async look(): Promise<AgentProgram[]> {
    this.#sandboxProblem = await this.#options.sandboxProblem();
    await Promise.all(this.#recipes.map((recipe) => this.#search(recipe)));
    return this.#tell();
  }

  /** Looks for the program of a recipe. @throws WorkbenchError with what to do where it cannot be started. */
  async ready(id: string): Promise<ReadyProgram> {
    const recipe = this.#recipe(id);
    this.#sandboxProblem = await this.#options.sandboxProblem();
    const { found, problem } = await this.#search(recipe);
    if (found !== null) return { recipe, found, program: this.#describe(recipe) };
    throw new WorkbenchError(
      'not-found',
      problem ??
        `${recipe.title} is not installed. Install it here, or in your own way, so that "${recipe.program}" is on the path.`,
    );
  }

  /** Begins to install a program; how it goes is told by the event. @throws WorkbenchError `not-found` for one that nobody knows. */
  install(id: string): void {
    const recipe = this.#recipe(id);
    if (this.#installing.has(id)) return;
    const stop = new AbortController();
    this.#failures.delete(id);
    const ended = Promise.resolve().then(() => this.#install(recipe, stop.signal));
    this.#installing.set(id, { stop, ended, words: 'Beginning' });
    this.#tell();
  }

  /** Resolves when no installation of this program runs any more. */
  async cancelInstall(id: string): Promise<void> {
    const running = this.#installing.get(this.#recipe(id).id);
    running?.stop.abort();
    await running?.ended;
  }

  /** Resolves when the installation of this program has ended, in whatever way. */
  async installed(id: string): Promise<void> {
    await this.#installing.get(this.#recipe(id).id)?.ended;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#installing.keys()].map((id) => this.cancelInstall(id)));
  }

  #recipe(id: string): Recipe {
    const recipe = this.#recipes.find((each) => each.id === id);
    if (recipe) return recipe;
    throw new WorkbenchError(
      'not-found',
      `There is no agent "${id}". Those that can run here: ${this.#recipes.map((each) => each.id).join(', ')}.`,
    );
  }

  async #search(recipe: Recipe): Promise<SearchResult> {
    const { environment, project } = this.#options;
    const result = await searchProgram(recipe, {
      installation: this.#installation(recipe),
      environment,
      project: project(),
    });
    this.#results.set(recipe.id, result);
    return result;
  }

  async #install(recipe: Recipe, signal: AbortSignal): Promise<void> {
    const { environment, project } = this.#options;
    try {
      await install({
        recipe,
        folder: this.#installation(recipe),
        environment,
        project: project(),
        signal,
        progress: (words) => {
          const running = this.#installing.get(recipe.id);
          if (!running || running.words === words) return;
          running.words = words;
          this.#tell();
        },
      });
      await this.#search(recipe);
    } catch (error) {
      if (!signal.aborted) this.#failures.set(recipe.id, messageOf(error));
    } finally {
      this.#installing.delete(recipe.id);
      this.#tell();
    }
  }

  /** The folder of an installation. The agent's state and settings lie beside it, and stay when it is installed anew. */
  #installation(recipe: Recipe): string {
    return path.join(this.#options.folder, recipe.id, 'program');
  }

  #describe(recipe: Recipe): AgentProgram {
    const result = this.#results.get(recipe.id) ?? { found: null, place: null, problem: null };
    const running = this.#installing.get(recipe.id);
    const version = result.found?.version ?? null;
    return {
      id: recipe.id,
      title: recipe.title,
      state: running ? 'installing' : stateOf(result),
      version,
      tried: recipe.package.version,
      place: result.place,
      problem: running ? running.words : (this.#failures.get(recipe.id) ?? result.problem),
      megabytes: recipe.package.megabytes,
      install: installCommand(recipe),
      ...standingsOf(this.#sandboxProblem),
      unasked: recipe.unasked,
    };
  }

  #tell(): AgentProgram[] {
    const { list } = this;
    this.events.emit('changed', list);
    return list;
  }
}

function stateOf({ found, place }: SearchResult): AgentProgram['state'] {
  if (found !== null) return 'ready';
  return place === null ? 'missing' : 'unusable';
}

/** The standings that a program can be started in, the closest first, and why not closer. What it keeps of them is looked at at each start. Pure. @internal Exported for its test. */
export function standingsOf(sandboxProblem: string | null): { standings: AgentStanding[]; limits: string | null } {
  if (sandboxProblem === null)
    return { standings: ['workbench-only', 'project-read-only', 'unconfined'], limits: null };
  return { standings: ['unconfined'], limits: `It can run only unconfined here: ${sandboxProblem}` };
}
