/** The agent programs as the host needs them: looked for, found and installed. */
import type { AgentProgram, AgentStanding } from '#contract/hosted-agent.ts';
import type { Emitter } from '#core/emitter.ts';
import type { FoundProgram, Recipe } from './recipes/recipe.ts';

/** A program that can be started. */
export interface ReadyProgram {
  readonly recipe: Recipe;
  readonly found: FoundProgram;
  /** The standings that can be had with it here. */
  readonly standings: readonly AgentStanding[];
  /** Folders that must be there in the sandbox: where it is installed. */
  readonly folders: readonly string[];
}

export interface AgentPrograms {
  readonly events: Pick<Emitter<{ changed: AgentProgram[] }>, 'on'>;
  look(): Promise<AgentProgram[]>;
  /** @throws WorkbenchError `not-found` for a program that is not there or cannot be used, with what to do. */
  ready(program: string): Promise<ReadyProgram>;
  /** Begins to install a program; how it goes is told by `changed`. */
  install(program: string): void;
  cancelInstall(program: string): void;
  dispose(): void;
}
