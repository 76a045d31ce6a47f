/**
 * The programs that are offered: first those with a recipe, combined with their entries in the agent list; then those that are only in the
 * list. Pure.
 */
import type { Recipe } from '../recipes/recipe.ts';
import { byHand, listedArguments, listedRecipe } from './listed-recipe.ts';
import { packageName, type RegistryAgent } from './registry-format.ts';

export interface OfferedProgram {
  readonly recipe: Recipe;
  /** True if the workbench has a recipe for the program. */
  readonly isKnown: boolean;
  readonly description: string;
  readonly page: string | null;
  /** The version, in the list, of the recipe's package; null if the list does not contain the package. */
  readonly listed: string | null;
  /** The arguments that the list specifies for a program without a recipe. */
  readonly args: readonly string[];
  /** Instructions for a program that the workbench does not install; null for a program that it installs. */
  readonly byHand: string | null;
}

export function offered(recipes: readonly Recipe[], entries: readonly RegistryAgent[]): OfferedProgram[] {
  const left = new Set(entries);
  const known = recipes.map((recipe): OfferedProgram => {
    const mine = entries.filter((entry) => isOf(entry, recipe));
    for (const entry of mine) left.delete(entry);
    const entry = mine.find((each) => hasPackage(each, recipe)) ?? mine[0];
    return {
      recipe,
      isKnown: true,
      description: entry?.description ?? '',
      page: entry === undefined ? null : pageOf(entry),
      listed: entry !== undefined && hasPackage(entry, recipe) ? entry.version : null,
      args: [],
      byHand: null,
    };
  });
  const others = [...left].map((entry): OfferedProgram => {
    const recipe = listedRecipe(entry);
    return {
      recipe,
      isKnown: false,
      description: entry.description,
      page: pageOf(entry),
      listed: entry.version,
      args: listedArguments(entry),
      byHand: byHand(entry, recipe),
    };
  });
  return [...known, ...others];
}

function isOf(entry: RegistryAgent, recipe: Recipe): boolean {
  return recipe.listed.includes(entry.id) || hasPackage(entry, recipe);
}

function hasPackage({ distribution: { npx } }: RegistryAgent, recipe: Recipe): boolean {
  return npx !== undefined && packageName(npx.package) === recipe.package?.name;
}

function pageOf({ website, repository }: RegistryAgent): string | null {
  return website ?? repository;
}
