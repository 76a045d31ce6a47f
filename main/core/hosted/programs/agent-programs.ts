/**
 * The agent programs on this machine: the access levels that are available for each, and the installation, update and removal of programs.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AgentList, AgentProgram, AgentStanding } from '#contract/clients/hosted-agent.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { installedVersion } from '../catalog/listed-recipe.ts';
import { offered, type OfferedProgram } from '../catalog/offered-programs.ts';
import { isNewer, newestOf } from '../catalog/versions.ts';
import { restore } from './installed-folder.ts';
import { install, installWords } from './installation.ts';
import { newestVersion } from './npm-package.ts';
import { searchProgram, type SearchResult } from './program-search.ts';
import { PROGRAM, remove } from './removal.ts';
import type { FoundProgram, Recipe } from '../recipes/recipe.ts';
import { RECIPES } from '../recipes/recipes.ts';

export interface AgentProgramsOptions {
  /** The folder for the agents' data. It contains one folder per agent, with the agent's installation. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the project's folder; null if no project is open. */
  readonly project: () => string | null;
  /** Resolves with the reason why processes cannot be sandboxed on this machine; null if they can. */
  readonly sandboxProblem: () => Promise<string | null>;
  readonly recipes?: readonly Recipe[];
  /** The agent list. If it is omitted, only programs with a recipe are offered. */
  readonly catalog?: Catalog;
  /** Returns true if an agent of the program is running or about to start. The program's files must not be changed during that time. */
  readonly runs?: (id: string) => boolean;
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

/** An installation, update or removal in progress. */
interface Change {
  readonly kind: 'installing' | 'removing';
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  words: string;
}

/** A program with the result of the latest search. */
interface Looked extends SearchResult {
  /** The version of the package in the workbench's own folder; null if the package is not installed there, or has no version. */
  readonly installed: string | null;
  /** True if the program is in the workbench's own folder. */
  readonly own: boolean;
}

const UNSEEN: Looked = { found: null, place: null, problem: null, installed: null, own: false };
const NO_LIST: AgentList = { at: null, problem: null, leftOut: 0 };

export class AgentPrograms {
  readonly events = new Emitter<AgentProgramsEvents>();
  readonly #options: AgentProgramsOptions;
  readonly #recipes: readonly Recipe[];
  readonly #looked = new Map<string, Looked>();
  readonly #changes = new Map<string, Change>();
  /** The reasons why the latest change of a program failed, by program id. */
  readonly #failures = new Map<string, string>();
  /** The newest package versions according to npm, by package name. They override the versions in the agent list. */
  readonly #newest = new Map<string, string>();
  readonly #stop = new AbortController();
  #offered: readonly OfferedProgram[];
  #sandboxProblem: string | null = null;

  constructor(options: AgentProgramsOptions) {
    this.#options = options;
    this.#recipes = options.recipes ?? RECIPES;
    this.#offered = offered(this.#recipes, []);
  }

  /** The offered programs, with the results of the latest search. */
  get list(): AgentProgram[] {
    return this.#offered.map((program) => this.#describe(program));
  }

  /** The state of the agent list. */
  get source(): AgentList {
    return this.#options.catalog?.view ?? NO_LIST;
  }

  /** Searches for all programs. */
  async look(): Promise<AgentProgram[]> {
    await this.#load();
    this.#sandboxProblem = await this.#options.sandboxProblem();
    await Promise.all(this.#offered.map(({ recipe }) => this.#search(recipe)));
    return this.#tell();
  }

  /** Fetches the agent list, and the newest versions of installed programs. If fetching the list fails, its `problem` gives the reason. */
  async refresh(): Promise<AgentList> {
    const { catalog } = this.#options;
    await this.#load();
    const installed = this.#offered.filter(({ recipe }) => this.#state(recipe.id).own);
    const keeps = (id: string): boolean => installed.some(({ recipe }) => recipe.listed.includes(id));
    await Promise.all([catalog?.refresh(keeps), ...installed.map(({ recipe }) => this.#lookUp(recipe))]);
    this.#take();
    await this.look();
    return this.source;
  }

  /** Searches for the program with this id. @throws WorkbenchError with advice if it cannot be started. */
  async ready(id: string): Promise<ReadyProgram> {
    await this.#load();
    const program = this.#find(id);
    const change = this.#changes.get(id);
    if (change)
      throw new WorkbenchError(
        'refused',
        `${program.recipe.title} is being ${change.kind === 'removing' ? 'removed' : 'installed'}. Start it after that.`,
      );
    this.#sandboxProblem = await this.#options.sandboxProblem();
    const { recipe, found, problem } = await this.#search(program.recipe);
    if (found !== null) return { recipe, found, program: this.#describe(program) };
    throw new WorkbenchError(
      'not-found',
      problem ??
        program.byHand ??
        `${recipe.title} is not installed. Install it here, or in another way, so that "${recipe.program}" is on the path.`,
    );
  }

  /**
   * Starts installing or updating a program; the event `changed` reports the progress.
   * @throws WorkbenchError `not-found` for an unknown program, `unsupported` for a program that the person installs, `refused` while an
   * agent of the program is running.
   */
  install(id: string): void {
    const { recipe, byHand } = this.#find(id);
    if (byHand !== null) throw new WorkbenchError('unsupported', byHand);
    this.#begin(recipe, 'installing', (signal) => this.#install(recipe, signal));
  }

  /**
   * Removes a program that the workbench installed and, with `state`, the agent's own state too.
   * @throws WorkbenchError `refused` while an agent of the program is running, and for a program that the person installed.
   */
  async remove(id: string, state: boolean): Promise<void> {
    const { recipe } = this.#find(id);
    if (!existsSync(this.#installation(recipe)))
      throw new WorkbenchError(
        'refused',
        `${recipe.title} was not installed by the workbench. Remove it the way you installed it.`,
      );
    const folder = path.join(this.#options.folder, id);
    this.#begin(recipe, 'removing', async () => {
      await remove({ title: recipe.title, folder, state });
      await this.#search(recipe);
    });
    await this.installed(id);
    const failure = this.#failures.get(id);
    if (failure !== undefined) throw new WorkbenchError('system', failure);
  }

  /** Cancels an installation. Resolves when it has stopped. */
  async cancelInstall(id: string): Promise<void> {
    const running = this.#changes.get(this.#find(id).recipe.id);
    running?.stop.abort();
    await running?.ended;
  }

  /** Resolves when the change of this program in progress has ended, successfully or not. */
  async installed(id: string): Promise<void> {
    await this.#changes.get(this.#find(id).recipe.id)?.ended;
  }

  async dispose(): Promise<void> {
    this.#stop.abort();
    await this.#options.catalog?.dispose();
    await Promise.all([...this.#changes.keys()].map((id) => this.cancelInstall(id)));
  }

  #find(id: string): OfferedProgram {
    const program = this.#offered.find(({ recipe }) => recipe.id === id);
    if (program) return program;
    throw new WorkbenchError(
      'not-found',
      `There is no agent "${id}". Available agents: ${this.#offered.map(({ recipe }) => recipe.id).join(', ')}.`,
    );
  }

  #state(id: string): Looked {
    return this.#looked.get(id) ?? UNSEEN;
  }

  /** Reads the stored agent list, if that has not been done yet. */
  async #load(): Promise<void> {
    const { catalog } = this.#options;
    if (catalog === undefined) return;
    await catalog.load();
    this.#take();
  }

  /** Applies the current list. A program that is no longer listed stays while it is being changed. */
  #take(): void {
    const now = offered(this.#recipes, this.#options.catalog?.entries ?? []);
    const changing = this.#offered.filter(
      ({ recipe: { id } }) => this.#changes.has(id) && !now.some(({ recipe }) => recipe.id === id),
    );
    this.#offered = [...now, ...changing];
  }

  async #search(recipe: Recipe): Promise<Looked & { readonly recipe: Recipe }> {
    const { environment, project } = this.#options;
    const installation = this.#installation(recipe);
    if (!this.#changes.has(recipe.id)) await restore(installation).catch(() => {}); // if that fails, it is tried again at the next search
    const complete = (await recipe.completed?.(installation)) ?? recipe;
    const result = await searchProgram(complete, { installation, environment, project: project() });
    const own = result.place?.startsWith(`${installation}${path.sep}`) ?? false;
    const looked = { ...result, own, installed: own ? await installedVersion(recipe, installation) : null };
    this.#looked.set(recipe.id, looked);
    return { ...looked, recipe: complete };
  }

  #begin(recipe: Recipe, kind: Change['kind'], change: (signal: AbortSignal) => Promise<void>): void {
    const { id, title } = recipe;
    if (this.#changes.has(id)) return;
    const isThere = existsSync(this.#installation(recipe));
    if (isThere && this.#options.runs?.(id) === true)
      throw new WorkbenchError(
        'refused',
        `${title} is running. End it first: its files cannot be ${kind === 'removing' ? 'removed' : 'replaced'} while it runs.`,
      );
    const stop = new AbortController();
    this.#failures.delete(id);
    const ended = Promise.resolve()
      .then(() => change(stop.signal))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#failures.set(id, messageOf(error));
      })
      .finally(() => {
        this.#changes.delete(id);
        this.#tell();
      });
    this.#changes.set(id, { kind, stop, ended, words: kind === 'removing' ? 'Removing' : 'Starting' });
    this.#tell();
  }

  async #install(recipe: Recipe, signal: AbortSignal): Promise<void> {
    const { environment, project } = this.#options;
    await install({
      recipe,
      folder: this.#installation(recipe),
      environment,
      project: project(),
      signal,
      progress: (words) => {
        const running = this.#changes.get(recipe.id);
        if (!running || running.words === words) return;
        running.words = words;
        this.#tell();
      },
    });
    const { installed } = await this.#search(recipe);
    // The version that npm has just installed is the newest one.
    if (installed !== null && recipe.package !== null) this.#newest.set(recipe.package.name, installed);
  }

  /** Looks up the newest version in npm. If that fails, the version in the list is used. */
  async #lookUp(recipe: Recipe): Promise<void> {
    if (recipe.package === null) return; // the version of a program without a package is only in the list
    const { environment, project } = this.#options;
    const request = { environment, project: project(), signal: this.#stop.signal };
    const newest = await newestVersion(recipe.package, request);
    if (newest === null) this.#newest.delete(recipe.package.name);
    else this.#newest.set(recipe.package.name, newest);
  }

  /**
   * Returns the folder of an installation. The agent's state and settings are in a folder beside it, so that they survive a reinstallation.
   */
  #installation(recipe: Recipe): string {
    return path.join(this.#options.folder, recipe.id, PROGRAM);
  }

  #describe({ recipe, isKnown, description, page, listed, args, byHand }: OfferedProgram): AgentProgram {
    const { id, title, package: npm, unasked } = recipe;
    const looked = this.#state(id);
    const change = this.#changes.get(id);
    const { place, own, installed } = looked;
    const version = installed ?? looked.found?.version ?? null;
    const known = npm === null ? null : (this.#newest.get(npm.name) ?? newestOf([listed, npm.version]));
    const newest = npm === null ? listed : known;
    return {
      id,
      title,
      description,
      page,
      recipe: isKnown,
      state: change?.kind ?? stateOf(looked),
      version,
      tried: npm?.version ?? null,
      newest,
      place,
      command: isKnown || place === null ? null : [place, ...args].join(' '),
      own,
      update: own && version !== null && newest !== null && isNewer(newest, version) ? newest : null,
      problem: change ? change.words : (this.#failures.get(id) ?? looked.problem ?? (place === null ? byHand : null)),
      megabytes: npm?.megabytes ?? null,
      install: installWords(recipe),
      ...standingsOf(this.#sandboxProblem, recipe),
      unasked,
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

/**
 * Returns the access levels with which a program can be started, strictest first, and the reason why stricter levels are unavailable. Each
 * start verifies that the program respects its level. Pure. @internal Exported for its test.
 */
export function standingsOf(
  sandboxProblem: string | null,
  { title, keepsOwnTools = false }: Pick<Recipe, 'title' | 'keepsOwnTools'>,
): { standings: AgentStanding[]; limits: string | null } {
  if (sandboxProblem === null && keepsOwnTools)
    return {
      standings: ['project-read-only', 'unconfined'],
      limits: `The tools of ${title} cannot be switched off reliably, so it cannot be limited to the workbench.`,
    };
  if (sandboxProblem === null)
    return { standings: ['workbench-only', 'project-read-only', 'unconfined'], limits: null };
  return { standings: ['unconfined'], limits: `This agent can run only unconfined here: ${sandboxProblem}` };
}
