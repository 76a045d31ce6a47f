/** A wish to install the program of an agent. */
import type { Recipe } from '../recipes/recipe.ts';

export interface InstallationRequest {
  readonly recipe: Recipe;
  /** The folder that the program is for; what is in it is replaced. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder, from which no tool is started; null for none. */
  readonly project: string | null;
  readonly signal: AbortSignal;
  /** Told how it goes, in words. */
  readonly progress: (words: string) => void;
}
