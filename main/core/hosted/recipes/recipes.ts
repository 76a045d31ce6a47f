/** The list of agent programs, in the order in which they are offered. */
import type { Recipe } from './recipe.ts';

export const RECIPES: readonly Recipe[] = [];
