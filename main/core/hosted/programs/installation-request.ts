/** A request to install an agent's program. */
import type { Recipe } from '../recipes/recipe.ts';

export interface InstallationRequest {
  readonly recipe: Recipe;
  /** The folder for the program; its content is replaced. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder, from which no tool is started; null if no project is open. */
  readonly project: string | null;
  readonly signal: AbortSignal;
  /** Receives progress messages. */
  readonly progress: (words: string) => void;
}
